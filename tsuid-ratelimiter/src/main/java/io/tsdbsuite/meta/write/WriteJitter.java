package io.tsdbsuite.meta.write;

import java.util.Arrays;

/**
 * Spreads writes over time by a hash of the TSUID, without state: series whose points arrive
 * together are written at different seconds.
 */
public final class WriteJitter {
  private final int ttl;

  /**
   * Spreads over a TTL.
   *
   * @param ttl seconds, 1 or more
   */
  public WriteJitter(int ttl) {
    this.ttl = ttl;
  }

  /** The series' next boundary: after now, and at most a TTL after it. Seconds. */
  public int next(byte[] tsuid, int now) {
    return now + ttl - Math.floorMod(now - spread(tsuid, ttl), ttl);
  }

  /** The series' fixed offset, from 0 to below a limit of 1 or more. */
  static int spread(byte[] tsuid, int limit) {
    // Arrays.hashCode alone differs little between neighbouring UIDs: its bits are mixed.
    int hash = Arrays.hashCode(tsuid) * 0x9E3779B1;
    hash ^= hash >>> 15;
    hash *= 0x85EBCA77;
    hash ^= hash >>> 13;
    return Math.floorMod(hash, limit);
  }
}
