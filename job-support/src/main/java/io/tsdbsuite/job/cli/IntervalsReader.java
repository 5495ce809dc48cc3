package io.tsdbsuite.job.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the values of --interval against rollup_config.json. */
public final class IntervalsReader {
  private static final List<String> AGGREGATORS = List.of("sum", "min", "max", "count");

  private IntervalsReader() {}

  /**
   * Checks also that a TSD can store the values of a rollup.
   *
   * @param values of the option
   * @param problems receives the problems found
   * @return the valid intervals, each of another length, without the others
   */
  public static List<RollupInterval> read(
      RollupConfig config, List<String> values, Problems problems) {
    for (String aggregator : AGGREGATORS) {
      if (config.aggregatorId(aggregator) == null) {
        problems.add(
            "rollup configuration: aggregationIds must have '"
                + aggregator
                + "', else no TSD can store that value");
      }
    }
    Map<Long, RollupInterval> byLength = new LinkedHashMap<>();
    for (String value : values) {
      RollupInterval interval = interval(config, value.strip(), problems);
      if (interval == null) {
        continue;
      }
      RollupInterval same = byLength.putIfAbsent(interval.seconds(), interval);
      if (same != null) {
        problems.add(
            same.interval().equals(interval.interval())
                ? "--interval must not have an interval twice, found: " + String.join(",", values)
                : "--interval must not have two intervals of one length, found: %s and %s"
                    .formatted(same.interval(), interval.interval()));
      }
    }
    return new ArrayList<>(byLength.values());
  }

  /** Returns null and reports a problem if the interval cannot be rolled up. */
  private static @Nullable RollupInterval interval(
      RollupConfig config, String value, Problems problems) {
    RollupInterval interval = config.interval(value);
    if (interval == null) {
      problems.add(
          "--interval must be one of rollup_config.json (%s), found: %s"
              .formatted(
                  config.intervals().stream()
                      .map(RollupInterval::interval)
                      .collect(Collectors.joining(", ")),
                  value));
      return null;
    }
    if (!interval.dividesHourOrDay()) {
      problems.add(
          "--interval must divide the hour, or be whole hours that divide the day, found: "
              + value);
      return null;
    }
    if (interval.defaultInterval()) {
      problems.add(
          ("--interval must not be the defaultInterval of rollup_config.json, whose table"
                  + " %s is that of the raw points, found: %s")
              .formatted(interval.table(), value));
      return null;
    }
    return interval;
  }
}
