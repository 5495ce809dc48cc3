package io.tsdbsuite.query.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageCell;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A coverage from rows of its table. */
final class Coverages {
  static final long HOUR = 3600;
  static final long DAY = 24 * HOUR;

  /** A midnight. */
  static final long BASE = 19_676 * DAY;

  /** When it is read. */
  static final long NOW = BASE + 1000 * DAY;

  private static final String ID = "0123456789abcdef0123456789abcdef";

  private final TreeMap<String, List<CoverageCell>> rows = new TreeMap<>();
  private final Map<String, String> tables;

  /**
   * @param tables the table of each interval
   */
  Coverages(Map<String, String> tables) {
    this.tables = tables;
    put(CoverageRows.FORMAT_ROW, BASE * 1000, Map.of("version", CoverageRows.VERSION));
    tables
        .values()
        .forEach(each -> put(CoverageRows.markerRow(each), BASE * 1000, Map.of("id", ID)));
  }

  /** A window of seconds since BASE, as of ten days after its end. */
  Coverages window(String interval, long from, long to, String metrics) {
    CoverageWindow window =
        CoverageWindow.of(
            interval,
            BASE + from,
            BASE + to,
            "hand",
            tables.get(interval),
            (BASE + to + 10 * DAY) * 1000,
            metrics,
            "a test");
    put(
        CoverageRows.windowRow(interval, BASE + from, "hand"),
        BASE * 1000,
        CoverageRows.columns(window));
    return this;
  }

  /** A mask of all series, of a second since BASE; newer than all windows. */
  Coverages mask(long hour, String metric) {
    put(CoverageRows.maskRow(BASE + hour, metric), NOW * 1000, Map.of("late/*", ""));
    return this;
  }

  /** A floor, in seconds since BASE. */
  Coverages floor(String level, long before, String metrics) {
    put(CoverageRows.FORMAT_ROW, BASE * 1000, Map.of("version", "2"));
    put(
        CoverageRows.FLOOR_PREFIX + level + "/hand",
        BASE * 1000,
        Map.of(
            "before",
            String.valueOf(BASE + before),
            "metrics",
            metrics,
            "evidence",
            "a proof",
            "asOf",
            String.valueOf((BASE + before) * 1000)));
    return this;
  }

  private void put(String row, long time, Map<String, String> columns) {
    List<CoverageCell> cells = new ArrayList<>();
    new TreeMap<>(columns)
        .forEach(
            (column, value) ->
                cells.add(
                    new CoverageCell(
                        row.getBytes(UTF_8), column.getBytes(UTF_8), value.getBytes(UTF_8), time)));
    rows.put(row, cells);
  }

  Coverage read() {
    return read(tables);
  }

  /**
   * @param configured the table of each interval in rollup_config.json
   */
  Coverage read(Map<String, String> configured) {
    CoverageReader reader = new CoverageReader();
    rows.values().forEach(reader::row);
    Map<String, String> ids = new TreeMap<>();
    tables.values().forEach(table -> ids.put(table, ID));
    Coverage coverage = reader.coverage(configured, ids, NOW * 1000);
    if (!coverage.reason().isEmpty()) {
      throw new IllegalStateException(coverage.reason());
    }
    return coverage;
  }
}
