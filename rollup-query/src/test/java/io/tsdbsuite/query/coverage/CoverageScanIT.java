package io.tsdbsuite.query.coverage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.hbase.async.HBaseClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A coverage table in a real HBase, read as a TSD reads it. */
class CoverageScanIT {
  private static final String TABLE = "scan-coverage";
  private static final String ID = "0123456789abcdef0123456789abcdef";
  private static final long HOUR = 3_600_000;
  private static final long FROM = 1_700_006_400;
  private static final long TO = FROM + 86400;
  private static final long AS_OF = (TO + 3600) * 1000;
  private static final long TIMEOUT = 300_000;

  private static HBaseServer hbase;
  private static HBaseClient client;

  @BeforeAll
  static void start() throws Exception {
    Path parent = Files.createDirectories(Path.of("target", "it").toAbsolutePath());
    Stack stack = Stack.in(Files.createTempDirectory(parent, "coverage-")).hbase().start();
    hbase = stack.hbase();
    stack.create(OpenTsdbTables.defaults().rollup("scan-1h").rollup("scan-1d").coverage(TABLE));
    client = new HBaseClient(hbase.zkQuorum());
  }

  @AfterAll
  static void stop() throws Exception {
    client.shutdown().join(TIMEOUT);
  }

  private static Coverage read(String table) throws Exception {
    Map<String, String> tables = Map.of("1h", "scan-1h", "1d", "scan-1d", "10m", "scan-none");
    return new CoverageScan(client, table, tables).read(System.currentTimeMillis()).join(TIMEOUT);
  }

  /** A packed table that does not answer is one without a marker. */
  @Test
  void aPackedTableIsNotWaitedFor() throws Exception {
    String table = "silent-coverage";
    String packed = "silent-p1h";
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.of(Map.of("tsd.storage.hbase.data_table", "silent-tsdb"))
          .rollup("silent-1h")
          .rollup(packed)
          .coverage(table)
          .create(admin);
      CoverageScan scan =
          new CoverageScan(client, table, Map.of("1h", "silent-1h", "1h.packed", packed));
      List<RawCell> cells = new ArrayList<>(List.of(cell("format", "version", "3")));
      for (String level : List.of("1h", "1h.packed")) {
        String of = level.equals("1h") ? "silent-1h" : packed;
        cells.add(cell("marker/" + of, "id", ID));
        CoverageRows.columns(CoverageWindow.of(level, FROM, TO, "hand", of, AS_OF, "*", "a test"))
            .forEach(
                (column, value) ->
                    cells.add(cell("window/" + level + "/" + FROM + "/hand", column, value)));
        hbase.putCells(of, List.of(marker()));
      }
      hbase.putCells(table, cells);
      Coverage both = read(scan);
      assertThat(both.end("1h.packed")).isEqualTo(TO);
      assertThat(scan.silent()).isEmpty();
      admin.disableTable(TableName.valueOf(packed));
      for (int reading = 0; reading < 3; reading++) {
        Coverage plain = read(scan);
        assertThat(plain.reason()).isEmpty();
        assertThat(plain.end("1h")).isEqualTo(TO);
        assertThat(plain.end("1h.packed")).isZero();
        assertThat(scan.silent()).containsOnlyKeys(packed);
      }
      admin.enableTable(TableName.valueOf(packed));
      Await.until(
          "the packed table to answer",
          Duration.ofMillis(TIMEOUT),
          () -> read(scan).end("1h.packed") == TO);
      assertThat(scan.silent()).isEmpty();
      admin.disableTable(TableName.valueOf(packed));
      admin.deleteTable(TableName.valueOf(packed));
      assertThat(read(scan).end("1h.packed")).isZero();
      assertThat(read(scan).end("1h")).isEqualTo(TO);
    }
  }

  private static Coverage read(CoverageScan scan) throws Exception {
    return scan.read(System.currentTimeMillis()).join(TIMEOUT);
  }

  private static RawCell marker() {
    return new RawCell(
        CoverageRows.tableMarkerRow(),
        CoverageRows.TABLE_FAMILY,
        CoverageRows.TABLE_COLUMN.getBytes(UTF_8),
        AS_OF,
        ID.getBytes(UTF_8));
  }

  private static TimeRanges hours(Coverage coverage) {
    return coverage.proven("1h", HOUR, "m");
  }

  private static RawCell cell(String row, String column, String value) {
    return new RawCell(
        row.getBytes(UTF_8), "c", column.getBytes(UTF_8), AS_OF, value.getBytes(UTF_8));
  }

  private static void put(String row, Map<String, String> columns) throws IOException {
    List<RawCell> cells = new ArrayList<>();
    columns.forEach((column, value) -> cells.add(cell(row, column, value)));
    hbase.putCells(TABLE, cells);
  }

  @Test
  void rowsAndMarkersAreReadAsTheyAre() throws Exception {
    assertThat(read("no-such-table").reason()).contains("table no-such-table does not exist");
    assertThat(read("scan-1d").reason()).contains("must have the column family c");
    assertThat(read(TABLE).reason()).contains("the table is empty");

    put("format", Map.of("version", "1"));
    put("marker/scan-1h", Map.of("id", ID));
    CoverageWindow window =
        CoverageWindow.of("1h", FROM, TO, "hand", "scan-1h", AS_OF, "*", "a test");
    put("window/1h/" + FROM + "/hand", CoverageRows.columns(window));
    assertThat(hours(read(TABLE)).isEmpty()).as("the table has no marker").isTrue();
    assertThat(read(TABLE).voidTables().get("scan-none")).isNotNull();

    hbase.putCells("scan-1h", List.of(marker()));
    assertThat(read(TABLE).reason()).isEmpty();
    assertThat(hours(read(TABLE))).isEqualTo(TimeRanges.of(FROM * 1000, TO * 1000));

    // More rows than one call to HBase brings, and a row longer than its default number of cells.
    List<RawCell> masks = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      masks.add(cell("mask/" + FROM + "/other" + i, "late/*", ""));
    }
    for (int i = 0; i < 5000; i++) {
      masks.add(cell("mask/" + FROM + "/m", String.format("late/%06X", i), ""));
    }
    hbase.putCells(TABLE, masks);
    Coverage masked = read(TABLE);
    assertThat(masked.masks()).hasSize(3001);
    assertThat(hours(masked)).isEqualTo(TimeRanges.of(FROM * 1000 + HOUR, TO * 1000));
    assertThat(masked.proven("1h", HOUR, "others").length()).isEqualTo(24 * HOUR);

    String other = "scan-away";
    assertThat(read(other).floorsKnown()).as("no table has no floors").isTrue();
    try (Admin admin = hbase.connection().getAdmin()) {
      OpenTsdbTables.of(Map.of("tsd.storage.hbase.data_table", "scan-tsdb"))
          .coverage(other)
          .create(admin);
      admin.disableTable(TableName.valueOf(other));
      assertThatThrownBy(() -> read("default:" + other)).as("it may have floors").isNotNull();
      admin.enableTable(TableName.valueOf(other));
      assertThat(read(other).reason()).contains("the table is empty");
    }

    put("unknown/row", Map.of("a", "b"));
    assertThat(read(TABLE).reason()).contains("row unknown/row: its kind must be known");
    assertThat(hours(read(TABLE)).isEmpty()).isTrue();
  }
}
