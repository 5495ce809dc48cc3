package io.tsdbsuite.meta.cache;

/**
 * Hash function for UIDs. UIDs are mostly small consecutive numbers; the hash spreads them over 64
 * bits.
 */
final class Hash {
  private static final long FIRST = 0x9e3779b97f4a7c15L;
  private static final long SECOND = 0xd6e8feb86659fd93L;

  private Hash() {}

  /** Adds a word to a hash; {@link #finish} must follow the last word. */
  static long add(long hash, long word) {
    long sum = (hash ^ word) * FIRST;
    return sum ^ sum >>> 32;
  }

  /** Makes each bit of the hash depend on each bit of the added words. */
  static long finish(long hash) {
    long mixed = hash * SECOND;
    mixed = (mixed ^ mixed >>> 32) * SECOND;
    return mixed ^ mixed >>> 32;
  }

  /** Hash of a metric and the length of its TSUIDs. */
  static long ofMetric(long metric, int length) {
    return finish(metric ^ (long) length << 48);
  }

  /** Hash of two words. */
  static long mix(long one, long other) {
    return finish(add(add(0, one), other));
  }
}
