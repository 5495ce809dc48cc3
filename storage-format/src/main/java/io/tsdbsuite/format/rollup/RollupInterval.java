package io.tsdbsuite.format.rollup;

import java.io.Serializable;
import java.time.LocalDate;

/**
 * One rollup resolution: the interval, its tables and the time span of their rows. Immutable.
 * Source: docs/storage.md 6.1 and 6.2.
 */
public final class RollupInterval implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final long HOUR = 3600;
  private static final long DAY = 86400;

  private final String interval;
  private final long seconds;
  private final String table;
  private final String preAggregationTable;
  private final String rowSpan;
  private final char spanUnit;
  private final long spanNumber;
  private final boolean defaultInterval;
  private final long delaySlaSeconds;

  RollupInterval(
      String interval,
      long seconds,
      String table,
      String preAggregationTable,
      String rowSpan,
      char spanUnit,
      long spanNumber,
      boolean defaultInterval,
      long delaySlaSeconds) {
    this.interval = interval;
    this.seconds = seconds;
    this.table = table;
    this.preAggregationTable = preAggregationTable;
    this.rowSpan = rowSpan;
    this.spanUnit = spanUnit;
    this.spanNumber = spanNumber;
    this.defaultInterval = defaultInterval;
    this.delaySlaSeconds = delaySlaSeconds;
  }

  /** The interval as configured, for example {@code 1h}; queries match it literally. */
  public String interval() {
    return interval;
  }

  /** The interval, seconds; a month has 30 days, a year 365. */
  public long seconds() {
    return seconds;
  }

  /**
   * Whether its length divides the hour, or is a number of whole hours that divides the day: what
   * the suite's jobs can roll up.
   */
  public boolean dividesHourOrDay() {
    return HOUR % seconds == 0 || (seconds % HOUR == 0 && DAY % seconds == 0);
  }

  /** Name of the rollup table. */
  public String table() {
    return table;
  }

  /** Name of the table of pre-aggregated rollups. */
  public String preAggregationTable() {
    return preAggregationTable;
  }

  /** The time span of a row, as configured, for example {@code 1d}. */
  public String rowSpan() {
    return rowSpan;
  }

  /** Whether this is the interval of the raw table. */
  public boolean defaultInterval() {
    return defaultInterval;
  }

  /** The delaySla: the greatest delay of the rollups, seconds; 0 if not configured. */
  public long delaySlaSeconds() {
    return delaySlaSeconds;
  }

  /**
   * The number of intervals that a row can hold, by the TSD's count: a month has 32 days, a year
   * 366.
   */
  public int intervalsPerRow() {
    return (int) (spanSeconds(spanUnit, spanNumber) / seconds);
  }

  /** Whether every row holds a whole number of intervals. */
  boolean divides() {
    boolean calendar = spanUnit == 'n' || spanUnit == 'y';
    return (calendar ? DAY : spanSeconds(spanUnit, spanNumber)) % seconds == 0;
  }

  static long spanSeconds(char unit, long number) {
    switch (unit) {
      case 'h':
        return number * HOUR;
      case 'd':
        return number * DAY;
      case 'n':
        return number * 32 * DAY;
      default:
        return number * 366 * DAY;
    }
  }

  /**
   * Start of the row that contains an instant. It is a multiple of the row's hours since the epoch,
   * midnight, the first of the month, or the first of January, in UTC.
   *
   * @param epochSeconds seconds since the epoch, UTC, 0..2^32-1
   * @return seconds since the epoch, UTC
   * @throws IllegalArgumentException when the instant is out of range, for example in milliseconds
   */
  public long baseTime(long epochSeconds) {
    if (epochSeconds < 0 || epochSeconds > 0xffffffffL) {
      throw new IllegalArgumentException(
          "time must be seconds since the epoch on 4 bytes, found " + epochSeconds);
    }
    switch (spanUnit) {
      case 'h':
        return epochSeconds - epochSeconds % (spanNumber * HOUR);
      case 'd':
        return epochSeconds - epochSeconds % DAY;
      default:
        LocalDate day = LocalDate.ofEpochDay(epochSeconds / DAY);
        LocalDate first = spanUnit == 'y' ? day.withDayOfYear(1) : day.withDayOfMonth(1);
        return first.toEpochDay() * DAY;
    }
  }

  /**
   * End of a row: the start of the next one, seconds since the epoch, UTC; 2^32 of the last one.
   *
   * @param baseTime of the row
   */
  public long rowEnd(long baseTime) {
    // By the TSD's count a month has 32 days and a year 366: the end is in the next row.
    long inNext = baseTime + spanSeconds(spanUnit, spanNumber);
    return inNext > 0xffffffffL ? 1L << 32 : baseTime(inNext);
  }

  @Override
  public String toString() {
    return interval + " in " + table + ", rows of " + rowSpan;
  }
}
