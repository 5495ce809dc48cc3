package io.tsdbsuite.format.rollup;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Parses the object {@code suite} of the rollup configuration, and collects its problems. */
final class SuiteReader {
  private static final int MAX_ENTRIES = 100;
  private static final int MAX_PATTERNS = 100;
  private static final int MAX_BYTES = 4096;
  private static final String MESSAGE = "rollupMessage";

  /** What each slot of a packed row has together. */
  private static final List<String> PACKED = Arrays.asList("sum", "min", "max", "count");

  private final List<RollupInterval> intervals;
  private final Map<String, RollupInterval> byName = new HashMap<>();
  private final Set<String> ids;
  private final List<String> problems;

  /** Whether intervals and ids are right; else what the object names may be there. */
  private final boolean complete;

  /** Intervals by their length, those of one length by their text. */
  private final Comparator<String> order =
      Comparator.comparingLong(this::seconds).thenComparing(Comparator.naturalOrder());

  /**
   * Creates a reader.
   *
   * @param intervals of the configuration
   * @param ids the aggregators that have one
   * @param problems of intervals and ids; receives those of the object
   */
  SuiteReader(List<RollupInterval> intervals, Set<String> ids, List<String> problems) {
    this.intervals = intervals;
    this.ids = ids;
    this.problems = problems;
    this.complete = problems.isEmpty();
    intervals.forEach(each -> byName.put(each.interval(), each));
  }

  /** Parses the object; its result is not used after a problem. */
  SuiteConfig read(JsonNode suite) {
    if (!suite.isObject()
        || (!suite.has("values")
            && !suite.has("histograms")
            && !suite.has("packed")
            && !suite.has(MESSAGE))) {
      problem("suite", "must be an object with values, histograms, packed or rollupMessage", suite);
      return SuiteConfig.NONE;
    }
    keys("suite", suite, "values", "histograms", "histogramTables", "packed", MESSAGE);
    JsonNode message = suite.get(MESSAGE);
    boolean arrays =
        message != null && message.isInt() && message.intValue() == SuiteConfig.ROLLUP_MESSAGE;
    if (message != null && !arrays) {
      problem("suite." + MESSAGE, "must be " + SuiteConfig.ROLLUP_MESSAGE, message);
    }
    Set<String> used = new HashSet<>();
    for (RollupInterval interval : intervals) {
      used.add(interval.table());
      // A TSD reads histograms from the other table of the default interval alone.
      if (!interval.defaultInterval()) {
        used.add(interval.preAggregationTable());
      }
    }
    Map<String, String> tables =
        tables("suite.histogramTables", suite.get("histogramTables"), used);
    intervals.forEach(each -> used.add(each.preAggregationTable()));
    Map<String, String> packed = tables("suite.packed", suite.get("packed"), used);
    if (complete && !packed.isEmpty() && !ids.containsAll(PACKED)) {
      problem("suite.packed", "aggregationIds must have " + String.join(", ", PACKED), ids);
    }
    List<SuiteConfig.Entry> values = entries("suite.values", suite.get("values"), null);
    List<SuiteConfig.Entry> histograms =
        entries("suite.histograms", suite.get("histograms"), tables.keySet());
    return problems.isEmpty()
        ? new SuiteConfig(values, histograms, tables, packed, arrays)
        : SuiteConfig.NONE;
  }

  private long seconds(String interval) {
    RollupInterval known = byName.get(interval);
    return known == null ? Long.MAX_VALUE : known.seconds();
  }

  private void problem(String where, String rule, @Nullable Object found) {
    problems.add(where + ": " + rule + ", found " + (found == null ? "nothing" : found));
  }

  private void keys(String where, JsonNode node, String... known) {
    node.fieldNames()
        .forEachRemaining(
            key -> {
              if (!Arrays.asList(known).contains(key)) {
                problem(
                    where + "." + key,
                    "must be one of " + String.join(", ", known),
                    "'" + key + "'");
              }
            });
  }

  /**
   * The tables of intervals.
   *
   * @param used tables that have another use; receives these
   */
  private Map<String, String> tables(String key, @Nullable JsonNode node, Set<String> used) {
    Map<String, String> tables = new TreeMap<>(order);
    if (node == null) {
      return tables;
    }
    if (!node.isObject() || node.size() == 0) {
      problem(key, "must be an object with a table of an interval", node);
      return tables;
    }
    node.fields()
        .forEachRemaining(
            each -> {
              String where = key + "." + each.getKey();
              JsonNode table = each.getValue();
              checkInterval(where, each.getKey());
              if (!table.isTextual() || table.textValue().isEmpty()) {
                problem(where, "must be the name of a table", table);
              } else if (!used.add(table.textValue())) {
                problem(where, "must be a table that stores nothing else", table);
              }
              tables.put(each.getKey(), table.asText());
            });
    return tables;
  }

  /**
   * The entries of a list.
   *
   * @param tables the intervals that have a histogram table; null of {@code values}
   */
  private List<SuiteConfig.Entry> entries(
      String where, @Nullable JsonNode node, @Nullable Set<String> tables) {
    List<SuiteConfig.Entry> entries = new ArrayList<>();
    if (node == null) {
      return entries;
    }
    if (!node.isArray() || node.size() == 0) {
      problem(where, "must be a list with at least one entry", node);
      return entries;
    }
    if (node.size() > MAX_ENTRIES) {
      problem(where, "must have at most " + MAX_ENTRIES + " entries", node.size());
    }
    Set<String> metrics = new HashSet<>();
    for (int i = 0; i < Math.min(node.size(), MAX_ENTRIES); i++) {
      String place = where + "[" + i + "]";
      if (node.get(i).isObject()) {
        entries.add(entry(place, node.get(i), tables, metrics));
      } else {
        problem(place, "must be an object", node.get(i));
      }
    }
    return entries;
  }

  private SuiteConfig.Entry entry(
      String where, JsonNode node, @Nullable Set<String> tables, Set<String> metrics) {
    if (tables == null) {
      keys(where, node, "metrics", "intervals", "aggregators");
    } else {
      keys(where, node, "metrics", "intervals");
    }
    List<String> patterns = list(where + ".metrics", node.get("metrics"), this::checkPattern);
    String text = String.join(",", patterns);
    if (patterns.size() > MAX_PATTERNS) {
      problem(
          where + ".metrics", "must have at most " + MAX_PATTERNS + " patterns", patterns.size());
    }
    if (!metrics.add(text) && !text.isEmpty()) {
      problem(where + ".metrics", "must differ from those of earlier entries", "'" + text + "'");
    }
    List<String> names = list(where + ".intervals", node.get("intervals"), this::checkInterval);
    names.sort(order);
    if (tables == null) {
      List<String> found = list(where + ".aggregators", node.get("aggregators"), this::checkName);
      List<String> aggregators = new ArrayList<>(SuiteConfig.NAMES);
      aggregators.retainAll(found);
      return new SuiteConfig.Entry(text, names, Collections.unmodifiableList(aggregators));
    }
    for (String each : names) {
      if (!tables.contains(each)) {
        problem(
            where + ".intervals", "must have a table in suite.histogramTables", "'" + each + "'");
      }
    }
    return new SuiteConfig.Entry(text, names, Collections.emptyList());
  }

  /** The parts of a text with commas; none after a problem of the whole text. */
  private List<String> list(
      String where, @Nullable JsonNode node, BiConsumer<String, String> check) {
    List<String> parts = new ArrayList<>();
    if (node == null || !node.isTextual()) {
      problem(where, "must be a text of names, separated by commas", node);
      return parts;
    }
    int bytes = node.textValue().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      problem(where, "must have at most " + MAX_BYTES + " bytes", bytes);
      return parts;
    }
    for (String part : node.textValue().split(",", -1)) {
      if (parts.contains(part)) {
        problem(where, "must name each once", "'" + part + "'");
      } else {
        parts.add(part);
        check.accept(where, part);
      }
    }
    return parts;
  }

  private void checkPattern(String where, String pattern) {
    String name = pattern.startsWith("!") ? pattern.substring(1) : pattern;
    if (name.isEmpty() || !name.trim().equals(name)) {
      problem(
          where, "a pattern must not be empty, nor begin or end with a space", "'" + pattern + "'");
    }
  }

  private void checkInterval(String where, String name) {
    RollupInterval interval = byName.get(name);
    if (interval == null) {
      if (complete) {
        problem(where, "must be an interval of intervals", "'" + name + "'");
      }
    } else if (!interval.dividesHourOrDay()) {
      problem(where, "must divide the hour, or be hours that divide the day", "'" + name + "'");
    } else if (interval.defaultInterval()) {
      problem(
          where,
          "must not be the defaultInterval, whose table has the raw points",
          "'" + name + "'");
    }
  }

  private void checkName(String where, String name) {
    if (!SuiteConfig.NAMES.contains(name)) {
      problem(where, "must be one of " + String.join(" ", SuiteConfig.NAMES), "'" + name + "'");
    } else if (complete && !ids.contains(name)) {
      problem(where, "must have an id in aggregationIds", "'" + name + "'");
    }
  }
}
