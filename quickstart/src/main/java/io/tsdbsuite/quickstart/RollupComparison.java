package io.tsdbsuite.quickstart;

import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Compares the rollups in Kafka with rollups that the TSD computes from raw data. */
final class RollupComparison {
  private static final int SAMPLES = 4;
  private static final int SHOWN_DIFFERENCES = 20;

  private final String interval;
  private final SortedMap<RollupKey, RollupValues> expected;
  private final SortedMap<RollupKey, RollupValues> actual;
  private final List<String> differences;

  /**
   * @param interval interval of all of them
   * @param expected rollups that the TSD computes from raw data
   * @param actual the rollups in Kafka
   */
  RollupComparison(
      String interval,
      SortedMap<RollupKey, RollupValues> expected,
      SortedMap<RollupKey, RollupValues> actual) {
    this.interval = interval;
    this.expected = expected;
    this.actual = actual;
    this.differences = RollupDiff.of(expected, actual);
  }

  /** The number of missing, extra or different rollups. */
  int differences() {
    return differences.size();
  }

  /**
   * Formats a table of sample rollups, a table of counts by metric, and the first 20 differences.
   */
  String table() {
    StringBuilder out = new StringBuilder();
    line(out, "series, start (UTC), interval", "from", "sum", "min", "max", "count");
    for (RollupKey key : samples()) {
      row(out, label(key), "Kafka", actual.get(key));
      row(out, "", "TSD", expected.get(key));
    }
    out.append('\n');
    out.append(String.format(Locale.ROOT, "%-24s %12s %12s%n", "metric", "TSD", "Kafka"));
    counts().forEach((metric, counts) -> count(out, metric, counts));
    differences.stream().limit(SHOWN_DIFFERENCES).forEach(d -> out.append(d).append('\n'));
    out.append(
        String.format(
            Locale.ROOT,
            "%n%,d rollups of %s compared (min, max, count exactly; sum to 1e-12): %d differences",
            expected.size(),
            interval,
            differences.size()));
    return out.toString();
  }

  private List<RollupKey> samples() {
    List<RollupKey> keys = new ArrayList<>(expected.keySet());
    List<RollupKey> samples = new ArrayList<>();
    for (int i = 0; i < SAMPLES && !keys.isEmpty(); i++) {
      samples.add(keys.get((int) ((long) i * keys.size() / SAMPLES + i * 5L) % keys.size()));
    }
    return samples;
  }

  private Map<String, long[]> counts() {
    Map<String, long[]> counts = new LinkedHashMap<>();
    expected.keySet().forEach(k -> counts.computeIfAbsent(k.metric(), m -> new long[2])[0]++);
    actual.keySet().forEach(k -> counts.computeIfAbsent(k.metric(), m -> new long[2])[1]++);
    return counts;
  }

  private String label(RollupKey key) {
    String hour = Instant.ofEpochSecond(key.timestamp()).toString().substring(0, 13);
    return key.metric() + key.tags() + " " + hour + "h " + interval;
  }

  private static void row(
      StringBuilder out, String label, String from, @Nullable RollupValues values) {
    if (values == null) {
      line(out, label, from, "missing", "", "", "");
    } else {
      line(
          out,
          label,
          from,
          Double.toString(values.sum()),
          Double.toString(values.min()),
          Double.toString(values.max()),
          Long.toString(values.count()));
    }
  }

  private static void line(
      StringBuilder out, String label, String from, String sum, String min, String max, String n) {
    out.append(
        String.format(
            Locale.ROOT, "%-62s %-6s %22s %20s %20s %6s%n", label, from, sum, min, max, n));
  }

  private static void count(StringBuilder out, String metric, long[] counts) {
    out.append(String.format(Locale.ROOT, "%-24s %,12d %,12d%n", metric, counts[0], counts[1]));
  }
}
