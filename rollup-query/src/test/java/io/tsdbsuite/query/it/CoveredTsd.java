package io.tsdbsuite.query.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.opentsdb.uid.UniqueId;
import org.apache.hadoop.hbase.client.Admin;

/**
 * A TSD with six hours of the metric {@code q.covered}: a point of the value 1 each ten seconds;
 * the rollups say 1000, 1001 and so on. Its coverage is written by the test.
 */
final class CoveredTsd {
  static final long HOUR = 3600;
  static final long FROM = Requests.START - Requests.START % HOUR;

  private static final String ID = "0123456789abcdef0123456789abcdef";

  private final String prefix;
  private final Map<String, String> conf;
  private final TsdServer tsd;

  /**
   * A TSD that runs.
   *
   * @param prefix of its tables
   * @param conf its configuration
   */
  CoveredTsd(String prefix, Map<String, String> conf, TsdServer tsd) {
    this.prefix = prefix;
    this.conf = conf;
    this.tsd = tsd;
  }

  /** Starts the TSD, which checks each query, and stores points and rollups. */
  static CoveredTsd start(String prefix) throws IOException {
    return start(prefix, rollups(prefix));
  }

  /** The same with a packed table, see {@link #storePacked}. */
  static CoveredTsd startPacked(String prefix) throws IOException {
    String packed = "\"suite\":{\"packed\":{\"1h\":\"" + prefix + "-p1h\"}},\"intervals\"";
    return start(prefix, rollups(prefix).replace("\"intervals\"", packed));
  }

  private static CoveredTsd start(String prefix, String rollups) throws IOException {
    Map<String, String> conf =
        QueryStack.conf(
            prefix,
            "coverage.table",
            prefix + "-coverage",
            "coverage.seconds",
            "1",
            "shadow.one_in",
            "1",
            "shadow.recheck_seconds",
            "1");
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", rollups);
    CoveredTsd covered = new CoveredTsd(prefix, conf, QueryStack.tsd(prefix, conf));
    covered.store();
    return covered;
  }

  TsdServer tsd() {
    return tsd;
  }

  String rollupTable() {
    return prefix + "-1h";
  }

  String packedTable() {
    return prefix + "-p1h";
  }

  /** Packed rows of the six hours that say 2000, 2001 and so on: other ones than the rollups. */
  void storePacked() throws IOException {
    RowKey keys = new RowKey(StorageSchema.defaults());
    Set<String> rows = new TreeSet<>();
    for (RawCell cell : QueryStack.hbase().cells(rollupTable())) {
      rows.add(UniqueId.uidToString(cell.row()));
    }
    List<RawCell> parts = new ArrayList<>();
    for (String row : rows) {
      byte[] key = UniqueId.stringToUid(row);
      long base = keys.baseTime(key, 0);
      PackedRow packed = new PackedRow(PackedRow.kind(""), 24);
      for (int hour = 0; hour < 6; hour++) {
        long slot = (FROM - base) / HOUR + hour;
        if (slot >= 0 && slot < 24) {
          packed.put((int) slot, asOf(), 2000 + hour, 1, 1, 360);
        }
      }
      byte[] value = packed.value();
      parts.add(new RawCell(key, "t", packed.qualifier(key, 0, key.length, value), asOf(), value));
    }
    QueryStack.hbase().putCells(packedTable(), parts);
  }

  /** A rollup_config.json with tables that begin with the prefix. */
  static String rollups(String prefix) {
    return ("{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},\"intervals\":["
            + "{\"table\":\"PREFIX-tsdb\",\"preAggregationTable\":\"PREFIX-tsdb\","
            + "\"interval\":\"1m\",\"rowSpan\":\"1h\",\"defaultInterval\":true},"
            + "{\"table\":\"PREFIX-1h\",\"preAggregationTable\":\"PREFIX-agg\","
            + "\"interval\":\"1h\",\"rowSpan\":\"1d\"}]}")
        .replace("PREFIX", prefix);
  }

  private void store() throws IOException {
    List<DataPoint> points = new ArrayList<>();
    List<String> rollups = new ArrayList<>();
    for (int hour = 0; hour < 6; hour++) {
      long start = FROM + hour * HOUR;
      for (int i = 0; i < 360; i++) {
        points.add(new DataPoint("q.covered", start + i * 10L, 1L, Map.of("host", "a")));
      }
      rollups.add(
          "{\"metric\":\"q.covered\",\"timestamp\":"
              + start
              + ",\"value\":"
              + (1000 + hour)
              + ",\"tags\":{\"host\":\"a\"},\"interval\":\"1h\",\"aggregator\":\"SUM\"}");
    }
    tsd.client().put(points);
    RawHttp.Answer answer =
        RawHttp.ask(
            tsd.port(),
            "POST",
            "/api/rollup?sync",
            List.of("Connection: close"),
            rollups.toString().getBytes(UTF_8));
    assertThat(answer.code()).as(answer.text()).isLessThan(300);
  }

  /** Claims the first hours, in a coverage table that is made now. */
  void claim(Admin admin, int hours) throws IOException {
    claim(admin, window("1h", 0, hours));
  }

  /** A window of whole hours. */
  CoverageWindow window(String level, int from, int to) {
    return window(level, rollupTable(), from, to);
  }

  /** A window of whole hours of a table. */
  CoverageWindow window(String level, String table, int from, int to) {
    return CoverageWindow.of(
        level, FROM + from * HOUR, FROM + to * HOUR, "hand", table, asOf(), "q.*", "a test");
  }

  /** Claims windows, in a coverage table that is made now. */
  void claim(Admin admin, CoverageWindow... windows) throws IOException {
    OpenTsdbTables.of(conf).coverage(prefix + "-coverage").create(admin);
    boolean levels = Stream.of(windows).anyMatch(window -> window.interval().contains("."));
    put("format", Map.of("version", levels ? "3" : "1"));
    for (CoverageWindow window : windows) {
      put("marker/" + window.table(), Map.of("id", ID));
      marker(window.table());
      put(
          "window/" + window.interval() + "/" + window.from() + "/" + window.writer(),
          CoverageRows.columns(window));
    }
  }

  /** Says that raw points of an hour have changed. */
  void mask(int hour) throws IOException {
    String mask = "mask/" + (FROM + hour * HOUR) + "/q.covered";
    QueryStack.hbase()
        .putCells(
            prefix + "-coverage", List.of(cell(mask, "late/*", "", System.currentTimeMillis())));
  }

  /** Says that raw data before a midnight may be gone. */
  void floor(long before) throws IOException {
    long now = System.currentTimeMillis();
    List<RawCell> cells = new ArrayList<>();
    CoverageRows.columns(new CoverageFloor("raw", "hand", before, "q.*", "a test", before * 1000))
        .forEach((column, value) -> cells.add(cell("floor/raw/hand", column, value, now)));
    cells.add(cell("format", "version", CoverageRows.FLOOR_VERSION, now));
    QueryStack.hbase().putCells(prefix + "-coverage", cells);
  }

  private static void marker(String table) throws IOException {
    QueryStack.hbase()
        .putCells(
            table,
            List.of(
                new RawCell(
                    CoverageRows.tableMarkerRow(),
                    CoverageRows.TABLE_FAMILY,
                    CoverageRows.TABLE_COLUMN.getBytes(UTF_8),
                    asOf(),
                    ID.getBytes(UTF_8))));
  }

  private static long asOf() {
    return (FROM + 7 * HOUR) * 1000;
  }

  private void put(String row, Map<String, String> columns) throws IOException {
    List<RawCell> cells = new ArrayList<>();
    columns.forEach((column, value) -> cells.add(cell(row, column, value, asOf())));
    QueryStack.hbase().putCells(prefix + "-coverage", cells);
  }

  private static RawCell cell(String row, String column, String value, long timestamp) {
    return new RawCell(
        row.getBytes(UTF_8), "c", column.getBytes(UTF_8), timestamp, value.getBytes(UTF_8));
  }
}
