package io.tsdbsuite.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.quickstart.data.FleetData;
import io.tsdbsuite.quickstart.data.Latency;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.stream.Topics;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the rollup job's messages with what the TSD computes from raw data: those of the last
 * days by their values, all others by their number.
 *
 * @param fleet points of the last whole days
 */
record NightlyCheck(Environment run, FleetData fleet) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int DAY = 86400;

  /** Days that are compared; {@link QueryBenchmark} compares answers of all days. */
  private static final int DAYS = 7;

  /** A line of the table of samples. */
  private static final String LINE = "%-62s %-6s %22s %20s %20s %6s%n";

  private static final int SAMPLES = 4;
  private static final int SHOWN_DIFFERENCES = 20;

  /**
   * Compares every rollup, and prints a table for each interval.
   *
   * @return whether there are no differences
   */
  boolean compare() {
    long from = from();
    run.step(
        "reading topic %s, and querying the same hours of the last %d days from raw data",
        Topics.ROLLUPS, (run.window().streamFrom() - from) / DAY);
    Map<String, RollupMessages> recent = new HashMap<>();
    Map<String, Long> counts = new HashMap<>();
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
    for (String interval : Jobs.INTERVALS) {
      RollupMessages found = recent.getOrDefault(interval, new RollupMessages());
      equal &= compare(interval, found.rollups());
      equal &= complete(interval, counts.getOrDefault(interval, 0L));
    }
    return equal;
  }

  /** Start of the days that are compared. */
  private long from() {
    return Math.max(run.window().from(), run.window().streamFrom() - (long) DAYS * DAY);
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
    long wanted = rollups(interval, run.window().from());
    run.step(
        "%,d messages of %s in Kafka, of all %,d days; %,d series and intervals have points",
        messages, interval, run.window().days(), wanted);
    return messages == wanted;
  }

  /** Series times intervals that have points, from {@code start} on. */
  private long rollups(String interval, long start) {
    long width = run.interval(interval).seconds();
    return FleetData.series() * (fleet.to() - fleet.from()) / width
        + (run.rate().series() + new Latency().series())
            * (run.window().streamFrom() - start)
            / width;
  }

  private boolean compare(String interval, SortedMap<RollupKey, RollupValues> found) {
    TsdOracle oracle = new TsdOracle(run.client());
    SortedMap<RollupKey, RollupValues> expected = new TreeMap<>();
    for (String metric : FleetData.METRICS) {
      expected.putAll(oracle.rollups(metric, fleet.from(), fleet.to(), interval));
    }
    long to = run.window().streamFrom();
    for (String metric : List.of(RequestRate.METRIC, Latency.METRIC)) {
      expected.putAll(oracle.rollups(metric, from(), to, interval));
    }
    List<String> differences = RollupDiff.of(expected, found);
    Formatter out = new Formatter(Locale.ROOT);
    out.format(LINE, "series, start (UTC), interval", "from", "sum", "min", "max", "count");
    List<RollupKey> keys = new ArrayList<>(expected.keySet());
    for (int i = 0; i < SAMPLES && !keys.isEmpty(); i++) {
      RollupKey key = keys.get((int) ((long) i * keys.size() / SAMPLES + i * 5L) % keys.size());
      Instant start = Instant.ofEpochSecond(key.timestamp());
      String label = "%s%s %.13sh %s".formatted(key.metric(), key.tags(), start, interval);
      line(out, label, "Kafka", found.get(key));
      line(out, "", "TSD", expected.get(key));
    }
    out.format("%n%-24s %12s %12s%n", "metric", "TSD", "Kafka");
    Stream.concat(expected.keySet().stream(), found.keySet().stream())
        .map(RollupKey::metric)
        .distinct()
        .forEach(
            metric ->
                out.format(
                    "%-24s %,12d %,12d%n", metric, count(expected, metric), count(found, metric)));
    differences.stream().limit(SHOWN_DIFFERENCES).forEach(each -> out.format("%s%n", each));
    out.format(
        "%n%,d rollups of %s compared (min, max, count exactly; sum to 1e-12): %d differences%n",
        expected.size(), interval, differences.size());
    run.console().lines(System.lineSeparator() + out);
    long wanted = rollups(interval, from());
    if (expected.size() != wanted) {
      run.step(
          "the TSD answers %,d rollups of %s, but %,d were written: its answers cannot be the"
              + " reference",
          expected.size(), interval, wanted);
      return false;
    }
    return differences.isEmpty();
  }

  private static void line(
      Formatter out, String label, String from, @Nullable RollupValues values) {
    if (values == null) {
      out.format(LINE, label, from, "missing", "", "", "");
    } else {
      out.format(LINE, label, from, values.sum(), values.min(), values.max(), values.count());
    }
  }

  private static long count(SortedMap<RollupKey, RollupValues> rollups, String metric) {
    return rollups.keySet().stream().filter(key -> key.metric().equals(metric)).count();
  }
}
