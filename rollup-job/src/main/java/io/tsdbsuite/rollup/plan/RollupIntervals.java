package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.rollup.RollupInterval;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The widths of the rollups that one pass emits: some that divide the hour, and the day. Immutable.
 */
public final class RollupIntervals implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;

  private final List<RollupInterval> all;

  /**
   * Takes the intervals in any order.
   *
   * @param intervals at least one; each {@link #isPossible}, no two of one length
   * @throws IllegalArgumentException when one is not
   */
  public RollupIntervals(List<RollupInterval> intervals) {
    this.all =
        intervals.stream().sorted(Comparator.comparingLong(RollupInterval::seconds)).toList();
    long lengths = all.stream().mapToLong(RollupInterval::seconds).distinct().count();
    if (all.isEmpty()
        || lengths < all.size()
        || !all.stream().allMatch(interval -> isPossible(interval.seconds()))) {
      throw new IllegalArgumentException(
          "intervals must divide the hour or be a day, each of another length, found: " + all);
    }
  }

  /** Whether an interval of so many seconds can be rolled up: it divides the hour or is a day. */
  public static boolean isPossible(long seconds) {
    return HOUR % seconds == 0 || seconds == DAY;
  }

  /** All of them, the narrowest first; unmodifiable. */
  public List<RollupInterval> all() {
    return all;
  }

  /** Those that divide the hour, the narrowest first; unmodifiable. */
  public List<RollupInterval> ofHour() {
    return all.stream().filter(interval -> interval.seconds() <= HOUR).toList();
  }

  /** The one of a day; null when it is not asked for. */
  public RollupInterval ofDay() {
    return all.stream().filter(interval -> interval.seconds() == DAY).findFirst().orElse(null);
  }

  /** Whether days are rolled up, which must then be read whole and by one task each. */
  public boolean hasDay() {
    return ofDay() != null;
  }

  /** How many rollups one row of a series that has points all the time makes, on the average. */
  public double perRow() {
    return all.stream().mapToDouble(interval -> (double) HOUR / interval.seconds()).sum();
  }

  /** The intervals as rollup_config.json writes them, the narrowest first: {@code 1m,1h,1d}. */
  public String text() {
    return all.stream().map(RollupInterval::interval).collect(Collectors.joining(","));
  }

  @Override
  public String toString() {
    return text();
  }
}
