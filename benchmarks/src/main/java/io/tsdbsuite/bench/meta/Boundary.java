package io.tsdbsuite.bench.meta;

/** When a series is due again: once per TTL, each series at a second of its own. */
final class Boundary {
  private Boundary() {}

  /**
   * The first second after now that is a whole number of TTLs from the series' phase.
   *
   * @param now seconds from any fixed start
   * @param ttl seconds, 1 or more
   */
  static int next(byte[] tsuid, int now, int ttl) {
    long hash = 0;
    for (byte b : tsuid) {
      hash = (hash ^ b) * 0x9e3779b97f4a7c15L;
      hash ^= hash >>> 29;
    }
    int phase = (int) Long.remainderUnsigned(hash, ttl);
    return now + ttl - Math.floorMod(now - phase, ttl);
  }
}
