package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.rollup.SuiteConfig;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The rollup intervals of one pass: divisors of the hour, and whole hours that divide the day.
 *
 * @param all the narrowest first; unmodifiable
 * @param suite the further aggregators and histograms of their rollups
 * @param codecs of the histograms in rows of raw data
 */
public record RollupIntervals(List<RollupInterval> all, SuiteConfig suite, HistogramCodecs codecs)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final long HOUR = 3600;

  /**
   * Creates a set from intervals in any order.
   *
   * @param all at least one; each {@link RollupInterval#dividesHourOrDay}, no two of one length
   * @throws IllegalArgumentException when an interval breaks these rules
   */
  public RollupIntervals {
    all = all.stream().sorted(Comparator.comparingLong(RollupInterval::seconds)).toList();
    long lengths = all.stream().mapToLong(RollupInterval::seconds).distinct().count();
    if (all.isEmpty()
        || lengths < all.size()
        || !all.stream().allMatch(RollupInterval::dividesHourOrDay)) {
      throw new IllegalArgumentException(
          "intervals must divide the hour, or be whole hours that divide the day, each of another"
              + " length, found: "
              + all);
    }
  }

  /** Creates a set without further aggregators. */
  public RollupIntervals(List<RollupInterval> all) {
    this(all, SuiteConfig.NONE, HistogramCodecs.NONE);
  }

  /** The intervals whose rollups have histograms, for some metrics, the narrowest first. */
  public List<RollupInterval> withHistograms() {
    return all.stream().filter(each -> suite.histogram(each.interval())).toList();
  }

  /**
   * What rollups of some metrics have beside the four values, for messages: {@code p50,p99 of 1h;
   * first of 1d; histograms of 1h,1d}; empty if there is nothing.
   */
  public String furtherText() {
    List<String> parts = new ArrayList<>();
    for (RollupInterval each : all) {
      List<String> names = suite.aggregators(each.interval());
      if (!names.isEmpty()) {
        parts.add(String.join(",", names) + " of " + each.interval());
      }
    }
    if (!withHistograms().isEmpty()) {
      parts.add("histograms of " + text(withHistograms()));
    }
    return String.join("; ", parts);
  }

  /** The intervals that divide the hour, the narrowest first; unmodifiable. */
  public List<RollupInterval> ofHour() {
    return all.stream().filter(interval -> interval.seconds() <= HOUR).toList();
  }

  /** The intervals above an hour, which divide the day, the narrowest first; unmodifiable. */
  public List<RollupInterval> ofDay() {
    return all.stream().filter(interval -> interval.seconds() > HOUR).toList();
  }

  /** Whether there is an interval above an hour; then one task must read each day completely. */
  public boolean needsDays() {
    return !ofDay().isEmpty();
  }

  /** Average number of rollups from one row of a series without gaps. */
  public double perRow() {
    return all.stream().mapToDouble(interval -> (double) HOUR / interval.seconds()).sum();
  }

  /** The intervals as rollup_config.json writes them, the narrowest first: {@code 1m,1h,1d}. */
  public String text() {
    return text(all);
  }

  /** Some intervals, in the same way. */
  public static String text(List<RollupInterval> intervals) {
    return intervals.stream().map(RollupInterval::interval).collect(Collectors.joining(","));
  }

  @Override
  public String toString() {
    return text();
  }
}
