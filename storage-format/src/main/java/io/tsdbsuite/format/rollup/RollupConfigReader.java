package io.tsdbsuite.format.rollup;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.format.schema.SchemaException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses a rollup configuration and collects all its problems. */
final class RollupConfigReader {
  /** Offsets have 12 bits; the TSD reads the top nibble f as milliseconds. */
  private static final int MAX_INTERVALS = 3840;

  private static final int MIN_INTERVALS = 12;
  private static final int MAX_ID = 127;

  /** The lower-cased names by which TSD 2.4 looks up aggregators. It cannot look up squareSum. */
  private static final Set<String> AGGREGATORS =
      new HashSet<>(
          Arrays.asList(
              ("sum min max avg none median mult dev diff count zimsum mimmin mimmax first last"
                      + " pfsum p999 p99 p95 p90 p75 p50"
                      + " ep999r3 ep99r3 ep95r3 ep90r3 ep75r3 ep50r3"
                      + " ep999r7 ep99r7 ep95r7 ep90r7 ep75r7 ep50r7")
                  .split(" ")));

  private final String source;
  private final List<String> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  private RollupConfigReader(String source) {
    this.source = source;
  }

  static RollupConfig read(String source, String json) {
    RollupConfigReader reader = new RollupConfigReader(source);
    JsonNode root = reader.tree(json);
    Map<String, Integer> ids = reader.aggregatorIds(root.get("aggregationIds"));
    List<RollupInterval> intervals = reader.intervals(root.get("intervals"));
    SuiteConfig suite = reader.suite(root.get("suite"), intervals, ids.keySet());
    if (!reader.problems.isEmpty()) {
      throw new SchemaException(source, reader.problems);
    }
    return new RollupConfig(intervals, ids, suite, reader.warnings);
  }

  private void problem(String where, String rule, @Nullable Object found) {
    problems.add(where + ": " + rule + ", found " + (found == null ? "nothing" : found));
  }

  /** The object of the suite, after all else was read. */
  private SuiteConfig suite(
      @Nullable JsonNode node, List<RollupInterval> intervals, Set<String> ids) {
    if (node == null) {
      return SuiteConfig.NONE;
    }
    return new SuiteReader(intervals, ids, problems).read(node);
  }

  private JsonNode tree(String json) {
    ObjectMapper mapper = new ObjectMapper();
    mapper.configure(JsonParser.Feature.STRICT_DUPLICATE_DETECTION, true);
    try {
      JsonNode root = mapper.readTree(json);
      if (root != null && root.isObject()) {
        return root;
      }
      problem("rollup configuration", "must be a JSON object", root);
    } catch (IOException e) {
      // A string can only fail to parse; Jackson 2.9 declares the wider IOException.
      boolean parsing = e instanceof JsonProcessingException;
      String found = parsing ? ((JsonProcessingException) e).getOriginalMessage() : e.getMessage();
      problem("rollup configuration", "must be JSON", found);
    }
    throw new SchemaException(source, problems);
  }

  private Map<String, Integer> aggregatorIds(@Nullable JsonNode node) {
    Map<String, Integer> ids = new LinkedHashMap<>();
    if (node == null || !node.isObject() || node.size() == 0) {
      problem("aggregationIds", "must name at least sum, min, max or count", node);
      return ids;
    }
    for (Iterator<Map.Entry<String, JsonNode>> i = node.fields(); i.hasNext(); ) {
      Map.Entry<String, JsonNode> entry = i.next();
      aggregatorId(entry.getKey(), entry.getValue(), ids);
    }
    if (!ids.containsKey("count")) {
      problem("aggregationIds.count", "compulsory, every rollup query looks it up", null);
    }
    return ids;
  }

  private void aggregatorId(String name, JsonNode value, Map<String, Integer> ids) {
    String where = "aggregationIds." + name;
    String aggregator = name.toLowerCase(Locale.ROOT);
    if (!AGGREGATORS.contains(aggregator)) {
      problem(where, "must be an aggregator of OpenTSDB 2.4", "'" + name + "'");
    }
    if (!value.isInt() || value.intValue() < 0 || value.intValue() > MAX_ID) {
      problem(where, "must be a number from 0 to " + MAX_ID, value);
      return;
    }
    Integer id = value.intValue();
    if (ids.containsValue(id)) {
      problem(where, "an id must be used once", id);
    }
    if (ids.put(aggregator, id) != null) {
      problem(where, "an aggregator must be named once, in any case", "'" + name + "'");
    }
    warnOfId(where, id);
  }

  private void warnOfId(String where, int id) {
    String danger = null;
    if (id == 1) {
      danger = "multi-get queries parse it as an annotation";
    } else if (id == 5) {
      danger = "queries take its cells for append columns and fail";
    } else if (id == 6) {
      danger = "multi-get queries parse it as a histogram";
    } else if (isInitial(id)) {
      danger = "it is the letter '" + (char) id + "' that begins old qualifiers with a name";
    }
    if (danger != null) {
      warnings.add(where + ": id " + id + " is dangerous in OpenTSDB 2.4.1: " + danger);
    }
  }

  private static boolean isInitial(int id) {
    for (String aggregator : AGGREGATORS) {
      if (aggregator.charAt(0) == id) {
        return true;
      }
    }
    return false;
  }

  private List<RollupInterval> intervals(@Nullable JsonNode node) {
    List<RollupInterval> intervals = new ArrayList<>();
    if (node == null || !node.isArray() || node.size() == 0) {
      problem("intervals", "must be a list with at least one interval", node);
      return intervals;
    }
    Set<String> names = new HashSet<>();
    Map<String, String> tables = new LinkedHashMap<>();
    int defaults = 0;
    for (int i = 0; i < node.size(); i++) {
      String where = "intervals[" + i + "]";
      RollupInterval interval = new RollupIntervalReader(where, problems).read(node.get(i));
      if (interval == null) {
        continue;
      }
      if (!names.add(interval.interval())) {
        problem(where + ".interval", "must be configured once", "'" + interval.interval() + "'");
      }
      defaults += interval.defaultInterval() ? 1 : 0;
      warnOfSharedTable(where + ".table", interval.table(), interval, tables);
      warnOfSharedTable(
          where + ".preAggregationTable", interval.preAggregationTable(), interval, tables);
      warnOfAlignment(where, interval);
      intervals.add(interval);
    }
    if (defaults != 1 && intervals.size() == node.size()) {
      problem("intervals", "exactly one must have \"defaultInterval\": true", defaults);
    }
    return intervals;
  }

  private void warnOfSharedTable(
      String where, String table, RollupInterval interval, Map<String, String> tables) {
    String other = tables.put(table, interval.interval());
    if (other != null) {
      warnings.add(
          String.format(
              "%s: table '%s' holds %s already; cells overwrite each other", where, table, other));
    }
  }

  private void warnOfAlignment(String where, RollupInterval interval) {
    if (!interval.divides()) {
      warnings.add(
          String.format(
              "%s.interval: %s does not divide rows of %s; the rest of a row cannot be stored"
                  + " or is easily missed",
              where, interval.interval(), interval.rowSpan()));
    }
  }

  /** Whether a row may have this number of intervals. */
  static boolean fits(long perRow) {
    return perRow >= MIN_INTERVALS && perRow <= MAX_INTERVALS;
  }

  static String fitsRule() {
    return "must fit " + MIN_INTERVALS + " to " + MAX_INTERVALS + " times in rowSpan";
  }
}
