package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.tiers.apply.ApplyReport;
import io.tsdbsuite.rollup.tiers.apply.UndoReport;
import io.tsdbsuite.testkit.RawCell;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.Test;

/** Packed rows go with the rollups of 1h that they are copies of, and do not come back. */
class TiersPackedIT {
  private static final long HOUR = TierStore.HOUR;
  private static final long DAY = TierStore.DAY;
  private static final String PACKED = "tpacked-packed-1h";
  private static final String IDS = RollupStore.IDS + ",'suite':{'packed':{'1h':'" + PACKED + "'}}";
  private static final int SERIES = 2;

  /** Days of the store; the entry keeps 1h for 60 days. */
  private static final int FIRST = 0;

  private static final int SECOND = 1;
  private static final int END = 2;
  private static final String POLICY = TierStore.POLICY.replace("13M", "60d").replace("5y", "90d");

  @Test
  void packedRowsGoWithTheirRows() throws Exception {
    List<byte[]> splits = List.of(HexFormat.of().parseHex("000002"));
    try (TierStore store = new TierStore("tpacked", splits, SERIES, List.of(FIRST, SECOND), IDS)) {
      store.keep(POLICY);
      store.rollUp();
      store.makeOld(store.rollupTable("1h"));
      store.makeOld(store.rollupTable("1d"));
      pack(store);
      List<RawCell> all = store.hbase().cells(PACKED);
      assertThat(all).hasSize(TierStore.METRICS.size() * SERIES * 2 + 1);

      prove(store);
      ApplyReport raw = store.apply(FIRST, END, Clock.systemUTC(), step -> {});
      assertThat(raw.exitCode()).as(raw::message).isEqualTo(ExitCode.DONE);
      assertThat(raw.report().json().at("/days/0").has("packed")).isFalse();
      assertThat(store.hbase().cells(PACKED)).as("rollups of 1h are there").isEqualTo(all);
      assertThat(readable(store, "app.a")).isTrue();

      prove(store, "--table=1h");
      RawCell planted = planted(store, all);
      store.hbase().putCells(PACKED, List.of(planted));
      stopped(store, planted);
      hoursGo(store, all, planted);
      hoursComeBack(store, all);
    }
  }

  /** Writes packed rows of all rollups of 1h, and says so in the coverage. */
  private static void pack(TierStore store) throws Exception {
    Map<String, Map<Integer, double[]>> values = new LinkedHashMap<>();
    long asOf = 0;
    for (RawCell cell : withoutMarker(store.hbase().cells(store.rollupTable("1h")))) {
      int id = RollupCell.aggregatorId(cell.qualifier(), 0);
      int slot = RollupCell.offset(cell.qualifier(), 0);
      double[] four =
          values
              .computeIfAbsent(HexFormat.of().formatHex(cell.row()), row -> new HashMap<>())
              .computeIfAbsent(slot, any -> new double[5]);
      four[id] = ByteBuffer.wrap(cell.value()).getDouble();
      asOf = Math.max(asOf, cell.timestamp());
    }
    List<RawCell> parts = new ArrayList<>();
    for (Map.Entry<String, Map<Integer, double[]>> row : values.entrySet()) {
      PackedRow packed = new PackedRow(PackedRow.kind(""), 24);
      for (Map.Entry<Integer, double[]> slot : row.getValue().entrySet()) {
        double[] of = slot.getValue();
        packed.put(slot.getKey(), asOf, of[0], of[3], of[4], Double.doubleToRawLongBits(of[2]));
      }
      parts.add(part(HexFormat.of().parseHex(row.getKey()), packed));
    }
    TableName name = TableName.valueOf(PACKED);
    try (Admin admin = store.hbase().connection().getAdmin()) {
      // What a run has written has the time of its snapshot.
      admin.disableTable(name);
      admin.truncateTable(name, true);
    }
    store.hbase().putCells(PACKED, parts);
    try (CoverageTable table =
        new CoverageTable(store.hbase().connection(), store.coverageTable())) {
      boolean unused = table.upgrade(CoverageRows.LEVEL_VERSION);
      String mark = table.mark(PACKED);
      long now = System.currentTimeMillis();
      table.add(
          List.of(
              CoverageWindow.of(
                  "1h.packed",
                  TierStore.FROM,
                  TierStore.FROM + END * DAY,
                  "pack",
                  PACKED,
                  now - 1000,
                  "*",
                  "a test")),
          Map.of(PACKED, mark),
          now);
    }
    assertThat(readable(store, "app.a")).isTrue();
  }

  private static RawCell part(byte[] row, PackedRow packed) {
    byte[] value = packed.value();
    byte[] qualifier = packed.qualifier(row, 0, row.length, value);
    return new RawCell(row, "t", qualifier, packed.asOf(), value);
  }

  /** Whether the coverage lets packed rows of a metric be read somewhere. */
  private static boolean readable(TierStore store, String metric) throws IOException {
    return !store.coverage().proven("1h.packed", HOUR * 1000, metric).isEmpty();
  }

  private static void prove(TierStore store, String... more) throws IOException {
    store.takeSnapshots();
    JobRun run = store.proveCommand(more).with("--coverage-table=" + store.coverageTable()).run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
  }

  /** A packed row of the entry whose row is not in the rollup table. */
  private static RawCell planted(TierStore store, List<RawCell> all) {
    RawCell of =
        all.stream().filter(cell -> store.isProven(cell.row(), FIRST)).findFirst().orElseThrow();
    byte[] row = of.row().clone();
    row[row.length - 1] = 0x7f;
    return new RawCell(row, of.family(), of.qualifier(), of.timestamp(), of.value());
  }

  /** An apply that ends between the loads and the counts; nothing is readable from the floor on. */
  private static void stopped(TierStore store, RawCell planted) throws IOException {
    ApplyReport report =
        store.apply(
            "1h",
            FIRST,
            SECOND,
            Clock.systemUTC(),
            step -> {
              if (step.equals("COUNT")) {
                throw new IllegalStateException("stopped");
              }
            });
    assertThat(report.exitCode()).isNotEqualTo(ExitCode.DONE);
    assertThat(store.hbase().cells(PACKED)).contains(planted);
    Coverage coverage = store.coverage();
    long end = (TierStore.FROM + SECOND * DAY) * 1000;
    assertThat(coverage.proven("1h.packed", HOUR * 1000, "app.a").from(0)).isEqualTo(end);
  }

  private static void hoursGo(TierStore store, List<RawCell> all, RawCell planted)
      throws Exception {
    // A part that came after the snapshot: its row stays, without what was there before.
    RawCell old = all.stream().filter(each -> isOf(store, each, SECOND)).findFirst().orElseThrow();
    PackedRow late = new PackedRow(PackedRow.kind(""), 24);
    late.put(3, System.currentTimeMillis(), 1, 1, 1, 1);
    RawCell newer = part(old.row(), late);
    store.hbase().putCells(PACKED, List.of(newer));
    ApplyReport report = store.apply("1h", FIRST, END, Clock.systemUTC(), step -> {});
    assertThat(report.exitCode()).as(report::message).isEqualTo(ExitCode.DONE);
    assertThat(report.booksClose()).isTrue();
    JsonNode days = report.report().json().get("days");
    for (int day = FIRST; day < END; day++) {
      JsonNode packed = days.get(day).get("packed");
      assertThat(packed.get("table").textValue()).isEqualTo(PACKED);
      JsonNode rows = packed.get("rows");
      assertThat(rows.get("planned").longValue()).isEqualTo(4);
      assertThat(rows.get("deleted").longValue()).isEqualTo(day == FIRST ? 4 : 3);
      assertThat(rows.get("keptForNewerCells").longValue()).isEqualTo(day == FIRST ? 0 : 1);
      assertThat(days.get(day).at("/rows/deleted").longValue()).isEqualTo(4);
    }
    List<RawCell> expected = new ArrayList<>(all);
    expected.removeIf(cell -> isOf(store, cell, FIRST) || isOf(store, cell, SECOND));
    assertThat(expected).as("web.a and the marker").hasSize(SERIES * 2 + 1);
    expected.add(planted);
    expected.add(newer);
    assertThat(texts(withoutMarker(store.hbase().cells(PACKED))))
        .containsExactlyInAnyOrderElementsOf(texts(withoutMarker(expected)));
    assertThat(readable(store, "app.a")).as("what is left is not read").isFalse();
    assertThat(readable(store, "web.a")).isTrue();
    JsonNode again =
        store.apply("1h", FIRST, END, Clock.systemUTC(), step -> {}).report().json().at("/days/0");
    assertThat(again.get("doneBefore").booleanValue()).isTrue();
    assertThat(again.has("packed")).isFalse();
  }

  private static void hoursComeBack(TierStore store, List<RawCell> all) throws Exception {
    List<RawCell> before = store.hbase().cells(PACKED);
    try (Admin admin = store.hbase().connection().getAdmin()) {
      admin.compactionSwitch(true, List.of());
      UndoReport undone = store.undo("1h", SECOND, step -> {});
      assertThat(undone.exitCode()).as(undone::message).isEqualTo(ExitCode.DONE);
      admin.compactionSwitch(false, List.of());
    }
    Coverage coverage = store.coverage();
    long second = (TierStore.FROM + SECOND * DAY) * 1000;
    long end = (TierStore.FROM + END * DAY) * 1000;
    assertThat(coverage.proven("1h", HOUR * 1000, "app.a").contains(second, end)).isTrue();
    assertThat(readable(store, "app.a")).as("queries read plain rows").isFalse();
    assertThat(coverage.proven("1h.packed", HOUR * 1000, "web.a").contains(second, end)).isFalse();
    assertThat(coverage.proven("1h.packed", HOUR * 1000, "web.a").contains(second - DAY, second))
        .isTrue();
    assertThat(texts(withoutMarker(store.hbase().cells(PACKED))))
        .isEqualTo(texts(withoutMarker(before)));

    // What is packed again has the time of the rollups: no marker hides it.
    List<RawCell> ofSecond = all.stream().filter(each -> isOf(store, each, SECOND)).toList();
    RawCell packed = ofSecond.get(ofSecond.size() - 1);
    store.hbase().putCells(PACKED, List.of(packed));
    assertThat(texts(store.hbase().cells(PACKED))).contains(packed.toString());

    ApplyReport again = store.apply("1h", SECOND, END, Clock.systemUTC(), step -> {});
    assertThat(again.exitCode()).as(again::message).isEqualTo(ExitCode.DONE);
    JsonNode rows = again.report().json().at("/days/0/packed/rows");
    assertThat(rows.get("deleted").longValue()).isEqualTo(1);
    assertThat(rows.get("alreadyGone").longValue()).isEqualTo(2);
    assertThat(rows.get("keptForNewerCells").longValue()).isEqualTo(1);
  }

  private static boolean isOf(TierStore store, RawCell cell, int day) {
    return store.isProven(cell.row(), day);
  }

  /** The marker of the coverage changes with each writer of windows. */
  private static List<RawCell> withoutMarker(List<RawCell> cells) {
    return cells.stream()
        .filter(cell -> !Arrays.equals(cell.row(), CoverageRows.tableMarkerRow()))
        .toList();
  }

  private static List<String> texts(List<RawCell> cells) {
    return cells.stream().map(RawCell::toString).toList();
  }
}
