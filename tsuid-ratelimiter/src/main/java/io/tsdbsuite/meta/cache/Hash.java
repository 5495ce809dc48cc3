package io.tsdbsuite.meta.cache;

/** Spreads UIDs, which are mostly counted up from 1, over 64 bits. */
final class Hash {
  private static final long FIRST = 0x9e3779b97f4a7c15L;
  private static final long SECOND = 0xd6e8feb86659fd93L;

  private Hash() {}

  /** Takes one more word in; {@link #finish} it after the last. */
  static long add(long hash, long word) {
    long sum = (hash ^ word) * FIRST;
    return sum ^ sum >>> 32;
  }

  /** Makes every bit depend on every bit that was taken in. */
  static long finish(long hash) {
    long mixed = hash * SECOND;
    mixed = (mixed ^ mixed >>> 32) * SECOND;
    return mixed ^ mixed >>> 32;
  }

  /** Of the series of a metric that have one length. */
  static long ofMetric(long metric, int length) {
    return finish(metric ^ (long) length << 48);
  }

  /** Of two words. */
  static long mix(long one, long other) {
    return finish(add(add(0, one), other));
  }
}
