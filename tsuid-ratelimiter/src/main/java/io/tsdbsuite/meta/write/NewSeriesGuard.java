package io.tsdbsuite.meta.write;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The places that an hour of the clock has for series that are not in the meta table yet.
 * Lock-free.
 */
final class NewSeriesGuard {
  /** Answer of {@link #reserve}: the hour is full. */
  static final int FULL = -1;

  private static final int HOUR = 3600;

  private final int perHour;

  /** The hour in the upper 32 bits, its places that are taken in the lower. */
  private final AtomicLong taken = new AtomicLong();

  /**
   * A guard.
   *
   * @param perHour places, 0 for any number
   */
  NewSeriesGuard(int perHour) {
    this.perHour = perHour;
  }

  /** Whether there is a limit at all. */
  boolean isOn() {
    return perHour > 0;
  }

  /** Takes a place: the hour, for {@link #giveBack}, or {@link #FULL}. */
  int reserve(int now) {
    int hour = now / HOUR;
    for (; ; ) {
      long seen = taken.get();
      // A caller that read the clock just before the hour rolled counts for the new one.
      int at = Math.max(hour, (int) (seen >>> 32));
      int used = at == (int) (seen >>> 32) ? (int) seen : 0;
      if (used >= perHour) {
        return FULL;
      }
      if (taken.compareAndSet(seen, pack(at, used + 1))) {
        return at;
      }
    }
  }

  /** The place is not needed: the series was there. Without effect once its hour is over. */
  void giveBack(int hour) {
    for (; ; ) {
      long seen = taken.get();
      if ((int) (seen >>> 32) != hour || (int) seen == 0) {
        return;
      }
      if (taken.compareAndSet(seen, pack(hour, (int) seen - 1))) {
        return;
      }
    }
  }

  /** When a series that found no place may try again: after the hour, in turn by its TSUID. */
  static int retryAt(byte[] tsuid, int now) {
    return now - now % HOUR + HOUR + WriteJitter.spread(tsuid, HOUR / 12);
  }

  private static long pack(int hour, int used) {
    return (long) hour << 32 | used;
  }
}
