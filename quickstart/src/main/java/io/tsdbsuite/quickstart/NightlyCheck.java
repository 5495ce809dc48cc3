package io.tsdbsuite.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.quickstart.data.FleetData;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.ingest.Topics;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Compares the rollup job's messages with what the TSD computes from raw data: those of the last
 * days by their values, all others by their number.
 */
final class NightlyCheck {
  private static final Map<String, Integer> WIDTHS = Map.of("1h", 3600, "6h", 21600, "1d", 86400);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int DAY = 86400;

  /** Days that are compared; {@link QueryBenchmark} compares answers of all days. */
  private static final int DAYS = 7;

  private final Environment run;
  private final RequestRate rate;
  private final FleetData fleet;
  private final Timeline window;
  private final long from;

  /**
   * @param fleet points of the last whole days
   */
  NightlyCheck(Environment run, FleetData fleet) {
    this.run = run;
    this.rate = run.rate();
    this.fleet = fleet;
    this.window = run.window();
    this.from = Math.max(window.from(), window.streamFrom() - (long) DAYS * DAY);
  }

  /**
   * Compares every rollup, and prints a table for each interval.
   *
   * @return whether there are no differences
   * @throws UncheckedIOException when a message cannot be read
   */
  boolean compare(List<String> intervals) {
    run.step(
        "reading topic %s, and querying the same hours of the last %d days from raw data",
        Topics.ROLLUPS, (window.streamFrom() - from) / DAY);
    Map<String, RollupMessages> recent = new LinkedHashMap<>();
    Map<String, Long> counts = new LinkedHashMap<>();
    run.stack()
        .kafka()
        .topics()
        .read(
            Topics.ROLLUPS,
            message -> {
              JsonNode rollup = parsed(message.value());
              String interval = rollup.path("interval").asText();
              counts.merge(interval, 1L, Long::sum);
              if (rollup.path("timestamp").asLong() >= from) {
                recent.computeIfAbsent(interval, any -> new RollupMessages()).add(message.value());
              }
            });
    boolean equal = true;
    for (String interval : intervals) {
      RollupMessages found = recent.getOrDefault(interval, new RollupMessages());
      equal &= compare(interval, found.rollups());
      equal &= complete(interval, counts.getOrDefault(interval, 0L));
    }
    return equal;
  }

  private static JsonNode parsed(byte[] message) {
    try {
      return JSON.readTree(message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the topic has a message for each series and interval of all days. */
  private boolean complete(String interval, long messages) {
    long wanted = rollups(interval, window.from());
    run.step(
        "%,d messages of %s in Kafka, of all %,d days; %,d series and intervals have points",
        messages, interval, window.days(), wanted);
    return messages == wanted;
  }

  /** Series times intervals that have points, from {@code start} on. */
  private long rollups(String interval, long start) {
    int width = width(interval);
    return FleetData.series() * (fleet.to() - fleet.from()) / width
        + rate.series() * (window.streamFrom() - start) / width;
  }

  private static int width(String interval) {
    return Objects.requireNonNull(WIDTHS.get(interval), interval);
  }

  private boolean compare(String interval, SortedMap<RollupKey, RollupValues> found) {
    TsdOracle oracle = new TsdOracle(run.client());
    SortedMap<RollupKey, RollupValues> expected = new TreeMap<>();
    for (String metric : FleetData.METRICS) {
      expected.putAll(oracle.rollups(metric, fleet.from(), fleet.to(), interval));
    }
    expected.putAll(oracle.rollups(RequestRate.METRIC, from, window.streamFrom(), interval));
    RollupComparison comparison = new RollupComparison(interval, expected, found);
    run.console().lines(System.lineSeparator() + comparison.table() + System.lineSeparator());
    long wanted = rollups(interval, from);
    if (expected.size() != wanted) {
      run.step(
          "the TSD answers %,d rollups of %s, but %,d were written: its answers cannot be the"
              + " reference",
          expected.size(), interval, wanted);
      return false;
    }
    return comparison.differences() == 0;
  }
}
