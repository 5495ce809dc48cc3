package io.tsdbsuite.meta.cache;

/**
 * Key of a block: the metric, the length of the TSUIDs, and the stripe, one of the 2^depth parts of
 * the series. The keys of blocks never change; the key of a {@link Probe} is mutable and serves
 * lookups only.
 *
 * <pre>
 * place: | length of the TSUID, 24 bits | depth, 8 bits | stripe, 32 bits |
 * </pre>
 */
final class BlockKey {
  private static final long METRIC_FACTOR = 0x9e3779b97f4a7c15L;
  private static final long PLACE_FACTOR = 0xd6e8feb86659fd93L;

  private long metric;
  private long place;

  /**
   * Changes the key.
   *
   * @param metric the metric's UID, big-endian
   * @param tsuidLength length of the TSUIDs, bytes
   */
  void set(long metric, int tsuidLength, int depth, int stripe) {
    this.metric = metric;
    this.place = (long) tsuidLength << 40 | (long) depth << 32 | (stripe & 0xffffffffL);
  }

  static BlockKey of(long metric, int tsuidLength, int depth, int stripe) {
    BlockKey key = new BlockKey();
    key.set(metric, tsuidLength, depth, stripe);
    return key;
  }

  /** Makes a key from {@link #metric} and {@link #place} of another key. */
  static BlockKey of(long metric, long place) {
    BlockKey key = new BlockKey();
    key.metric = metric;
    key.place = place;
    return key;
  }

  /** The stripe of a series, 0 to 2^depth - 1, by the hash of its tags. */
  static int stripe(long hash, int depth) {
    return (int) (hash >>> 1 >>> (63 - depth));
  }

  /**
   * Makes the key of one half of this block's series.
   *
   * @param half 0 for the lower half of the hashes, 1 for the upper half
   */
  BlockKey half(int half) {
    return of(metric, tsuidLength(), depth() + 1, 2 * stripe() + half);
  }

  /** A number whose upper bits differ between keys: one step where {@link #hashCode} has four. */
  static long spread(long metric, long place) {
    return metric * METRIC_FACTOR + place * PLACE_FACTOR;
  }

  long spread() {
    return spread(metric, place);
  }

  /** Makes a copy, which does not change with this key. */
  BlockKey copy() {
    return of(metric, place);
  }

  /** The metric's UID, big-endian. */
  long metric() {
    return metric;
  }

  /** Length of the TSUIDs, depth and stripe, packed as in the class comment. */
  long place() {
    return place;
  }

  /** Length of the TSUIDs, bytes. */
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
