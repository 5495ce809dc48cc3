package io.tsdbsuite.format.rollup;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses one entry of {@code intervals} in the rollup configuration, and collects its problems. */
final class RollupIntervalReader {
  private final String where;
  private final List<String> problems;

  RollupIntervalReader(String where, List<String> problems) {
    this.where = where;
    this.problems = problems;
  }

  /** Parses an entry; returns null after at least one problem was added to the list. */
  @Nullable RollupInterval read(JsonNode node) {
    if (!node.isObject()) {
      problem("", "must be an object", node);
      return null;
    }
    int before = problems.size();
    @Nullable String table = table(node, "table");
    @Nullable String preAggregationTable = table(node, "preAggregationTable");
    Duration interval = duration(node, "interval", true);
    Duration rowSpan = rowSpan(node);
    Duration delaySla = duration(node, "delaySla", false);
    boolean defaultInterval = bool(node.get("defaultInterval"));
    if (interval != null && rowSpan != null) {
      long span = RollupInterval.spanSeconds(rowSpan.unit, rowSpan.number);
      long perRow = span / interval.seconds();
      if (!RollupConfigReader.fits(perRow)) {
        problem(".interval", RollupConfigReader.fitsRule(), perRow + " times");
      }
    }
    if (problems.size() > before
        || table == null
        || preAggregationTable == null
        || interval == null
        || rowSpan == null) {
      return null;
    }
    return new RollupInterval(
        node.get("interval").textValue(),
        interval.seconds(),
        table,
        preAggregationTable,
        node.get("rowSpan").textValue(),
        rowSpan.unit,
        rowSpan.number,
        defaultInterval,
        delaySla == null ? 0 : delaySla.seconds());
  }

  private void problem(String key, String rule, @Nullable Object found) {
    problems.add(where + key + ": " + rule + ", found " + (found == null ? "nothing" : found));
  }

  private @Nullable String table(JsonNode node, String key) {
    JsonNode value = node.get(key);
    if (value == null || !value.isTextual() || value.textValue().isEmpty()) {
      problem("." + key, "must be the name of a table", value);
      return null;
    }
    return value.textValue();
  }

  private @Nullable Duration duration(JsonNode node, String key, boolean compulsory) {
    JsonNode value = node.get(key);
    boolean absent =
        value == null || value.isNull() || (value.isTextual() && value.textValue().isEmpty());
    if (absent && !compulsory) {
      return null;
    }
    Duration duration = absent ? null : Duration.parse(value.textValue());
    if (duration == null) {
      problem("." + key, "must be a number and one of the units s m h d w n y", value);
    }
    return duration;
  }

  private @Nullable Duration rowSpan(JsonNode node) {
    Duration span = duration(node, "rowSpan", true);
    if (span == null) {
      return null;
    }
    boolean legal =
        span.unit == 'h'
            ? span.number == 1 || (span.number % 2 == 0 && span.number <= 24 * 366)
            : span.number == 1 && "dny".indexOf(span.unit) >= 0;
    if (!legal) {
      problem(".rowSpan", "must be 1h, an even number of hours, 1d, 1n or 1y", node.get("rowSpan"));
      return null;
    }
    return span;
  }

  private boolean bool(@Nullable JsonNode value) {
    if (value == null || value.isNull()) {
      return false;
    }
    if (!value.isBoolean()) {
      problem(".defaultInterval", "must be true or false", value);
    }
    return value.asBoolean();
  }
}
