package io.tsdbsuite.meta.cache;

/**
 * Names a block: a metric, the length of its TSUIDs, and which part of its series, of 2^depth parts
 * (stripes). The keys of blocks never change; that of a {@link Probe} does, and is for lookups
 * only.
 *
 * <pre>
 * place: | length of the TSUID, 24 bits | depth, 8 bits | stripe, 32 bits |
 * </pre>
 */
final class BlockKey {
  private long metric;
  private long place;

  /** Makes it name something. */
  void set(long metric, int tsuidLength, int depth, int stripe) {
    this.metric = metric;
    this.place = (long) tsuidLength << 40 | (long) depth << 32 | (stripe & 0xffffffffL);
  }

  static BlockKey of(long metric, int tsuidLength, int depth, int stripe) {
    BlockKey key = new BlockKey();
    key.set(metric, tsuidLength, depth, stripe);
    return key;
  }

  /** With a place that another one has told. */
  static BlockKey of(long metric, long place) {
    BlockKey key = new BlockKey();
    key.metric = metric;
    key.place = place;
    return key;
  }

  /** Which of 2^depth stripes a series belongs to, by the hash of its tags. */
  static int stripe(long hash, int depth) {
    return (int) (hash >>> 1 >>> (63 - depth));
  }

  /** Of the lower half of its series, 0, or the upper, 1. */
  BlockKey half(int half) {
    return of(metric, tsuidLength(), depth() + 1, 2 * stripe() + half);
  }

  /** One that does not change with this. */
  BlockKey copy() {
    return of(metric, place);
  }

  /** The metric's UID, big-endian. */
  long metric() {
    return metric;
  }

  /** Length, depth and stripe. */
  long place() {
    return place;
  }

  /** Bytes of the metric and the tags. */
  int tsuidLength() {
    return (int) (place >>> 40);
  }

  /** Number of times that the metric's series were halved. */
  int depth() {
    return (int) (place >>> 32) & 0xff;
  }

  /** The first {@code depth} bits of the hashes of its series. */
  int stripe() {
    return (int) place;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof BlockKey)) {
      return false;
    }
    BlockKey that = (BlockKey) other;
    return metric == that.metric && place == that.place;
  }

  @Override
  public int hashCode() {
    return (int) (Hash.mix(metric, place) >>> 32);
  }
}
