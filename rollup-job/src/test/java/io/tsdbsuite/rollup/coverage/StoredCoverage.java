package io.tsdbsuite.rollup.coverage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageCell;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.rollup.RollupConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A coverage table in memory, for rollup tables of 1h and 1d. */
public final class StoredCoverage {
  private static final String CONFIG =
      """
      {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4},"intervals":[
        {"table":"tsdb","preAggregationTable":"tsdb","interval":"1m","rowSpan":"1h",
          "defaultInterval":true},
        {"table":"r-1h","preAggregationTable":"r-1h","interval":"1h","rowSpan":"1d"},
        {"table":"r-1d","preAggregationTable":"r-1d","interval":"1d","rowSpan":"1n"}]}
      """;

  static final RollupConfig ROLLUPS = RollupConfig.parse(CONFIG);

  /** The same with p99 of 1h of app.a. */
  public static RollupConfig suite() {
    return RollupConfig.parse(
        CONFIG
            .replace("\"max\":4", "\"max\":4,\"p99\":5")
            .replace(
                "]}",
                "],\"suite\":{\"values\":[{\"metrics\":\"app.a\",\"intervals\":\"1h\",\"aggregators\":\"p99\"}]}}"));
  }

  /** 2025-11-19T00:00:00Z, seconds. */
  public static final long DAY0 = 1763510400;

  static final long HOUR = 3600;
  public static final long DAY = 24 * HOUR;

  /** Thirty days later, milliseconds. */
  static final long NOW = (DAY0 + 30 * DAY) * 1000;

  /** A column of a mask: a series. */
  static final String LATE = "late/000001000001000001";

  private static final String ID = "0123456789abcdef0123456789abcdef";

  private final List<List<CoverageCell>> rows = new ArrayList<>();
  private final Map<String, String> ids = new HashMap<>(Map.of("r-1h", ID, "r-1d", ID));

  public StoredCoverage() {
    row("format", Map.of("version", "2"), 0);
    row("marker/r-1h", Map.of("id", ID), 0);
    row("marker/r-1d", Map.of("id", ID), 0);
  }

  /** Gives the version that has levels. */
  public StoredCoverage levels() {
    row("format", Map.of("version", "3"), 0);
    return this;
  }

  static CoverageCell cell(String row, String column, String value, long time) {
    return new CoverageCell(
        row.getBytes(UTF_8), column.getBytes(UTF_8), value.getBytes(UTF_8), time);
  }

  private void row(String key, Map<String, String> columns, long time) {
    List<CoverageCell> cells = new ArrayList<>();
    columns.forEach((column, value) -> cells.add(cell(key, column, value, time)));
    rows.add(cells);
  }

  public StoredCoverage with(CoverageWindow window) {
    row(
        CoverageRows.windowRow(window.interval(), window.from(), window.writer()),
        CoverageRows.columns(window),
        0);
    return this;
  }

  StoredCoverage floor(String level, String writer, long before, String metrics) {
    CoverageFloor floor = new CoverageFloor(level, writer, before, metrics, "a proof", NOW);
    row(floor.toString(), CoverageRows.columns(floor), 0);
    return this;
  }

  /** A row {@code mask/...}. */
  StoredCoverage mask(long hour, String metric, String column, long time) {
    row(CoverageRows.maskRow(hour, metric), Map.of(column, "1"), time);
    return this;
  }

  StoredCoverage truncated(String table) {
    ids.remove(table);
    return this;
  }

  Coverage read() {
    return read(ROLLUPS);
  }

  public Coverage read(RollupConfig rollups) {
    CoverageReader reader = new CoverageReader();
    rows.forEach(reader::row);
    return reader.coverage(CoverageListing.tables(rollups), ids, NOW);
  }

  /** The masks as they were read. */
  List<CoverageMask> masks() {
    return read().masks();
  }

  /** A window of whole days, as of five minutes after its end. */
  static CoverageWindow days(String interval, int from, int to, String writer) {
    return days(interval, from, to, writer, "*");
  }

  public static CoverageWindow days(
      String interval, int from, int to, String writer, String metrics) {
    return CoverageWindow.of(
        interval,
        DAY0 + from * DAY,
        DAY0 + to * DAY,
        writer,
        "r-" + CoverageRows.interval(interval),
        (DAY0 + to * DAY + 300) * 1000,
        metrics,
        "a test");
  }
}
