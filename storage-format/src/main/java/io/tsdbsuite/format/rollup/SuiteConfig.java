package io.tsdbsuite.format.rollup;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.format.metric.FirstMatch;
import io.tsdbsuite.format.metric.MetricPatterns;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The object {@code suite} of rollup_config.json: which rollups have more than sum, min, max and
 * count, and which are also stored in packed rows. OpenTSDB ignores it. Immutable. Source:
 * docs/queries.md.
 */
public final class SuiteConfig implements Serializable {
  /** A configuration without the object. */
  public static final SuiteConfig NONE =
      new SuiteConfig(
          Collections.emptyList(),
          Collections.emptyList(),
          Collections.emptyMap(),
          Collections.emptyMap(),
          false);

  /** The names that rollups may have beside sum, min, max and count, in their order everywhere. */
  public static final List<String> NAMES =
      Collections.unmodifiableList(
          Arrays.asList("p50", "p75", "p90", "p95", "p99", "p999", "first", "last"));

  /** The only value of {@code rollupMessage}. */
  static final int ROLLUP_MESSAGE = 3;

  private static final long serialVersionUID = 1L;

  private final Entry[] values;
  private final Entry[] histograms;
  private final HashMap<String, List<String>> aggregators = new HashMap<>();
  private final HashMap<String, String> histogramTables;
  private final boolean arrays;
  private final HashMap<String, String> packedTables;
  private final String text;

  /** An entry of {@code values} or {@code histograms}. */
  static final class Entry implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String metrics;
    private final MetricPatterns patterns;
    private final HashMap<String, List<String>> aggregators = new LinkedHashMap<>();

    /**
     * Creates an entry.
     *
     * @param metrics patterns, separated by commas
     * @param intervals in the order of their lengths
     * @param aggregators in the order of {@link #NAMES}, unmodifiable; none of histograms
     */
    Entry(String metrics, List<String> intervals, List<String> aggregators) {
      this.metrics = metrics;
      this.patterns = MetricPatterns.of(Arrays.asList(metrics.split(",", -1)));
      intervals.forEach(each -> this.aggregators.put(each, aggregators));
    }

    private boolean has(String interval, String name) {
      List<String> names = aggregators.get(interval);
      return names != null && (name.equals(Level.HISTOGRAM) || names.contains(name));
    }
  }

  /**
   * Creates the configuration of entries in their order.
   *
   * @param histogramTables table by interval, in the order of the intervals' lengths
   * @param packedTables the same of packed rollups
   * @param arrays whether {@code rollupMessage} is 3
   */
  SuiteConfig(
      List<Entry> values,
      List<Entry> histograms,
      Map<String, String> histogramTables,
      Map<String, String> packedTables,
      boolean arrays) {
    this.arrays = arrays;
    this.values = values.toArray(new Entry[0]);
    this.histograms = histograms.toArray(new Entry[0]);
    this.histogramTables = new HashMap<>(histogramTables);
    this.packedTables = new HashMap<>(packedTables);
    for (Entry entry : values) {
      for (String interval : entry.aggregators.keySet()) {
        aggregators.computeIfAbsent(interval, this::union);
      }
    }
    this.text = text(values, histograms, histogramTables);
  }

  private List<String> union(String interval) {
    List<String> all = new ArrayList<>(NAMES);
    all.removeIf(name -> Arrays.stream(values).noneMatch(each -> each.has(interval, name)));
    return Collections.unmodifiableList(all);
  }

  private static String text(
      List<Entry> values, List<Entry> histograms, Map<String, String> histogramTables) {
    ObjectNode suite = JsonNodeFactory.instance.objectNode();
    add(suite, "values", values);
    add(suite, "histograms", histograms);
    if (!histogramTables.isEmpty()) {
      histogramTables.forEach(suite.putObject("histogramTables")::put);
    }
    return suite.size() == 0 ? "" : suite.toString();
  }

  private static void add(ObjectNode suite, String key, List<Entry> entries) {
    for (Entry entry : entries) {
      ObjectNode node = suite.withArray(key).addObject();
      node.put("metrics", entry.metrics);
      node.put("intervals", String.join(",", entry.aggregators.keySet()));
      if (key.equals("values")) {
        node.put("aggregators", String.join(",", entry.aggregators.values().iterator().next()));
      }
    }
  }

  /** Whether rollups have sum, min, max and count alone: nothing else is selected. */
  public boolean isEmpty() {
    return text.isEmpty();
  }

  /**
   * Whether jobs write several rollups of a Kafka message as arrays, version 3 of {@code Rollup}
   * (docs/rollup-message.md): all readers of this file know it.
   */
  public boolean writesArrays() {
    return arrays;
  }

  /**
   * What rollups have beside the four, as JSON in one form: equal texts are equal configurations;
   * empty if they have nothing. Without the packed tables and the version of messages, which change
   * no rollup.
   */
  public String text() {
    return text;
  }

  /**
   * The aggregators that any entry names for an interval, in the order p50 p75 p90 p95 p99 p999
   * first last; unmodifiable.
   *
   * @param interval as rollup_config.json writes it
   */
  public List<String> aggregators(String interval) {
    return aggregators.getOrDefault(interval, Collections.emptyList());
  }

  /** What a metric has: the first entry of each list counts that selects it. */
  public Selection selection(String metric) {
    Entry value = first(values, metric);
    Entry histogram = first(histograms, metric);
    return value == null && histogram == null
        ? Selection.NONE
        : new Selection(
            value == null ? new HashMap<>() : value.aggregators,
            histogram == null ? new HashSet<>() : new HashSet<>(histogram.aggregators.keySet()));
  }

  private static @Nullable Entry first(Entry[] entries, String metric) {
    for (Entry entry : entries) {
      if (entry.patterns.wants(metric)) {
        return entry;
      }
    }
    return null;
  }

  /** Whether any entry selects histograms. */
  public boolean hasHistograms() {
    return histograms.length > 0;
  }

  /** Whether any entry names an interval for histograms. */
  public boolean histogram(String interval) {
    return Arrays.stream(histograms).anyMatch(each -> each.has(interval, Level.HISTOGRAM));
  }

  /** The table of the histograms of an interval; null if none is configured. */
  public @Nullable String histogramTable(String interval) {
    return histogramTables.get(interval);
  }

  /** The tables of histograms. */
  public Collection<String> histogramTables() {
    return Collections.unmodifiableCollection(histogramTables.values());
  }

  /** The table of the packed rollups of an interval; null if none is configured. */
  public @Nullable String packedTable(String interval) {
    return packedTables.get(interval);
  }

  /** The tables of packed rollups. */
  public Collection<String> packedTables() {
    return Collections.unmodifiableCollection(packedTables.values());
  }

  /**
   * The metrics of a {@link Level}, among those that a run selects: exactly those, for a window of
   * the coverage.
   *
   * @param interval as rollup_config.json writes it
   * @param name an aggregator, or {@code histogram}
   * @param within the run's selection
   * @return patterns for {@link MetricPatterns#of}, at least one of which includes; an empty list
   *     if the level has no metric of the run; null if no list was found that a window may have
   */
  public @Nullable List<String> patterns(String interval, String name, MetricPatterns within) {
    return patterns(interval, name, within, true);
  }

  /**
   * Whether all of some metrics have a {@link Level}; false, too, if that cannot be told.
   *
   * @param interval as rollup_config.json writes it
   * @param name an aggregator, or {@code histogram}
   */
  public boolean hasAll(String interval, String name, MetricPatterns metrics) {
    List<String> others = patterns(interval, name, metrics, false);
    return others != null && others.isEmpty();
  }

  private @Nullable List<String> patterns(
      String interval, String name, MetricPatterns within, boolean having) {
    Entry[] entries = name.equals(Level.HISTOGRAM) ? histograms : values;
    // The last one is of the metrics of no entry.
    boolean[] chosen = new boolean[entries.length + 1];
    List<MetricPatterns> patterns = new ArrayList<>();
    for (int i = 0; i < entries.length; i++) {
      chosen[i] = entries[i].has(interval, name) == having;
      patterns.add(entries[i].patterns);
    }
    chosen[entries.length] = !having;
    patterns.add(MetricPatterns.all());
    return FirstMatch.patterns(patterns, chosen, within);
  }

  @Override
  public String toString() {
    return text;
  }
}
