package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.settings.WriteSettings;
import java.time.Instant;

/** Which hours TSDs may still write, or compact (docs/storage.md 11). */
public final class ActiveHours {
  /** Delay after the base time at which a TSD compacts a row, seconds. */
  private static final long COMPACTED_AFTER_SECONDS = 3601;

  /** Largest delay of writers, seconds. */
  private static final long LAG_SECONDS = 3600;

  private static final long HOUR = 3600;

  private ActiveHours() {}

  /**
   * The first base time that a load refuses, seconds since the epoch, UTC; {@link Long#MAX_VALUE}
   * if it may load into all hours.
   *
   * @param began when it began
   */
  public static long refusedFrom(WriteSettings settings, Instant began) {
    return settings.allowActiveHours() ? Long.MAX_VALUE : from(began.getEpochSecond());
  }

  /**
   * The first base time that is refused, seconds since the epoch, UTC.
   *
   * @param nowSeconds the time, seconds since the epoch, UTC
   */
  public static long from(long nowSeconds) {
    long newest = nowSeconds - COMPACTED_AFTER_SECONDS - LAG_SECONDS;
    return Math.floorDiv(newest, HOUR) * HOUR + HOUR;
  }
}
