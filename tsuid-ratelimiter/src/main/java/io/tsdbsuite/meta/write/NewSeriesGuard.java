package io.tsdbsuite.meta.write;

import java.util.concurrent.atomic.AtomicLong;

/** Limit of new series per clock hour in the meta table. Lock-free. */
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

  /** Whether there is a limit. */
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

  /** Returns a place: the series was not new. A no-op once its hour is over. */
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

  /** Second of the retry of a series without a place: after the hour, spread by its TSUID. */
  static int retryAt(byte[] tsuid, int now) {
    return now - now % HOUR + HOUR + WriteJitter.spread(tsuid, HOUR / 12);
  }

  private static long pack(int hour, int used) {
    return (long) hour << 32 | used;
  }
}
