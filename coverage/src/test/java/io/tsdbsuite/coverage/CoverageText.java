package io.tsdbsuite.coverage;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A coverage table in memory, written as {@code hbase shell} would write it. */
final class CoverageText {
  static final String ID = "0123456789abcdef0123456789abcdef";
  static final String OTHER_ID = "ffffffffffffffffffffffffffffffff";

  /** Seconds: a midnight. */
  static final long DAY0 = 1_700_006_400;

  static final long HOUR = 3600;
  static final long DAY = 24 * HOUR;
  static final long NOW = (DAY0 + 100 * DAY) * 1000;

  private final Map<String, Map<String, String>> rows = new TreeMap<>();
  private final Map<String, Map<String, Long>> times = new TreeMap<>();
  private final Map<String, String> ids = new LinkedHashMap<>();
  private final Map<String, String> tables =
      new TreeMap<>(
          Map.of(
              "1h",
              "rollup-1h",
              "1h.p99",
              "rollup-1h",
              "1d",
              "rollup-1d",
              "1d.p99",
              "rollup-1d",
              "10m",
              "rollup-10m"));

  /** An empty table, but for its version and the markers of rollup-1h and rollup-1d. */
  static CoverageText marked() {
    return new CoverageText()
        .put("format", "version", "1")
        .put("marker/rollup-1h", "id", ID)
        .put("marker/rollup-1d", "id", OTHER_ID)
        .id("rollup-1h", ID)
        .id("rollup-1d", OTHER_ID);
  }

  static CoverageText empty() {
    return new CoverageText();
  }

  /** Puts a cell at time 0. */
  CoverageText put(String row, String column, String value) {
    return put(row, column, value, 0);
  }

  CoverageText put(String row, String column, String value, long time) {
    rows.computeIfAbsent(row, key -> new LinkedHashMap<>()).put(column, value);
    times.computeIfAbsent(row, key -> new LinkedHashMap<>()).put(column, time);
    return this;
  }

  CoverageText delete(String row) {
    rows.remove(row);
    return this;
  }

  CoverageText delete(String row, String column) {
    rows.get(row).remove(column);
    rows.values().removeIf(Map::isEmpty);
    return this;
  }

  /** A window of all metrics, of the interval's table. */
  CoverageText window(String interval, long from, long to, long asOf) {
    return window(interval, from, to, asOf, "*");
  }

  CoverageText window(String interval, long from, long to, long asOf, String metrics) {
    String row = CoverageRows.windowRow(interval, from, "w" + rows.size());
    return put(row, "to", Long.toString(to))
        .put(row, "table", "rollup-" + CoverageRows.interval(interval))
        .put(row, "asOf", Long.toString(asOf))
        .put(row, "metrics", metrics)
        .put(row, "evidence", "a test");
  }

  /** The key of the last window of an interval and time. */
  String key(String interval, long from) {
    return rows.keySet().stream()
        .filter(row -> row.startsWith("window/" + interval + "/" + from))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  /** The key of the last row of a kind. */
  String last(String prefix) {
    return rows.keySet().stream()
        .filter(row -> row.startsWith(prefix))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  /** A window of all metrics in which changed rows were rolled up again. */
  CoverageText raised(String interval, long from, long to, long full, long asOf) {
    return raised(interval, from, to, full, asOf, "*");
  }

  CoverageText raised(String interval, long from, long to, long full, long asOf, String metrics) {
    String row = CoverageRows.windowRow(interval, from, "w" + rows.size());
    return window(interval, from, to, asOf, metrics).put(row, "full", Long.toString(full));
  }

  /** A floor; the table gets the version that has them, unless it has that of levels. */
  CoverageText floor(String level, long before, String metrics) {
    String row = CoverageRows.floorRow(level, "f" + rows.size());
    String version = rows.getOrDefault("format", Map.of()).getOrDefault("version", "");
    return put("format", "version", version.equals("3") ? "3" : "2")
        .put(row, "before", Long.toString(before))
        .put(row, "metrics", metrics)
        .put(row, "evidence", "a proof")
        .put(row, "asOf", Long.toString(NOW));
  }

  CoverageText mask(long hour, String metric, long time) {
    return put(CoverageRows.maskRow(hour, metric), "late/000001000001000001", "", time);
  }

  /** Gives the version that has levels. */
  CoverageText levels() {
    return put("format", "version", "3");
  }

  /** Adds a level to those that the reader knows. */
  CoverageText knows(String level) {
    return knows(level, "rollup-" + CoverageRows.interval(level));
  }

  CoverageText knows(String level, String table) {
    tables.put(level, table);
    return this;
  }

  /** Gives a rollup table an id; none if it is null. */
  CoverageText id(String table, String id) {
    if (id == null) {
      ids.remove(table);
    } else {
      ids.put(table, id);
    }
    return this;
  }

  Coverage read() {
    return read(NOW);
  }

  Coverage read(long now) {
    CoverageReader reader = new CoverageReader();
    for (List<CoverageCell> row : cells()) {
      if (!reader.row(row)) {
        break;
      }
    }
    return reader.coverage(tables, ids, now);
  }

  private List<List<CoverageCell>> cells() {
    List<List<CoverageCell>> all = new ArrayList<>();
    rows.forEach(
        (row, columns) -> {
          List<CoverageCell> cells = new ArrayList<>();
          columns.forEach(
              (column, value) ->
                  cells.add(
                      new CoverageCell(
                          bytes(row), bytes(column), bytes(value), times.get(row).get(column))));
          all.add(cells);
        });
    return all;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
