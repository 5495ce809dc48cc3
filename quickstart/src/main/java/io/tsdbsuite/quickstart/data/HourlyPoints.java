package io.tsdbsuite.quickstart.data;

import java.util.List;
import java.util.Map;

/**
 * Points of the series of one metric, one every ten seconds. The same series and hour have the same
 * points in every run.
 */
public interface HourlyPoints {
  /** The metric. */
  String metric();

  /** Number of series. */
  int series();

  /** Tags of a series, counted from 0. */
  Map<String, String> tags(int number);

  /**
   * The points of one series and hour: Long, or Double with whole 64ths or whole hundredths.
   *
   * @param number of the series, counted from 0
   * @param hour its first second, since the epoch
   */
  List<Number> hour(int number, long hour);
}
