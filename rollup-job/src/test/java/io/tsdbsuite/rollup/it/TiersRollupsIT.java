package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.tiers.apply.ApplyReport;
import io.tsdbsuite.rollup.tiers.apply.UndoReport;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

/**
 * Raw data of the last two days of a year, then their rollups of 1h, then those of 1d of the year
 * are proven and go; the rollups come back.
 */
class TiersRollupsIT {
  private static final long HOUR = TierStore.HOUR;
  private static final long DAY = TierStore.DAY;
  private static final int SERIES = 2;

  /** Of {@link RollupStore#IDS}. */
  private static final int COUNT = 2;

  private static final int P99 = 8;

  /** Rollups of app.a have p99 and first. */
  private static final String IDS =
      RollupStore.IDS.replace("}", ",'p99':8,'first':11}")
          + ",'suite':{'values':"
          + "[{'metrics':'*.a,!web.*','intervals':'1h,1d','aggregators':'p99,first'}]}";

  /** The 30th of December 2025, in days of the store. */
  private static final int FIRST = 42;

  /** The first of January 2026. */
  private static final int NEXT_YEAR = FIRST + 2;

  /** Where the rows of 1d begin, which have a year. */
  private static final int YEAR = NEXT_YEAR - 365;

  private static final long FROM = TierStore.FROM + FIRST * DAY;
  private static final long TO = TierStore.FROM + NEXT_YEAR * DAY;

  /** All of the year may go, of each table. */
  private static final String POLICY = TierStore.POLICY.replace("13M", "60d").replace("5y", "90d");

  private static ApplyReport hours(TierStore store, Clock clock) {
    return store.apply("1h", FIRST, NEXT_YEAR, clock, step -> {});
  }

  private static ApplyReport hours(TierStore store) {
    return hours(store, Clock.systemUTC());
  }

  /** A run of {@code tiers prove} of a table, or of all. */
  private static String prove(TierStore store, ExitCode expected, String... more) {
    JobRun run = store.proveCommand(more).with("--coverage-table=" + store.coverageTable()).run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(expected);
    return run.out();
  }

  @Test
  void whatProveHasProvenGoesTableByTableAndComesBack() throws Exception {
    try (TierStore store =
        new TierStore(
            "thours",
            List.of(HexFormat.of().parseHex("000002")),
            SERIES,
            List.of(FIRST, FIRST + 1),
            IDS)) {
      store.keep(POLICY);
      store.rollUp();
      store.makeOld(store.rollupTable("1h"));
      store.makeOld(store.rollupTable("1d"));
      RawCell other = another(store);
      store.hbase().putCells(store.rollupTable("1h"), List.of(other));
      List<String> answers = answers(store, "1d", TierStore.METRICS);
      assertThat(answers).hasSize(TierStore.METRICS.size() * SERIES * 2);
      rawDataGo(store);
      aDifferenceProvesNothing(store);
      prove(store, ExitCode.DONE, "--table=1h");
      refused(store);
      hoursGo(store, other);
      yearsGo(store);
      assertThat(answers(store, "1d", TierStore.METRICS)).isEqualTo(answers);
    }
  }

  /** Prove and apply of all raw data; until then no rollup is proven. */
  private static void rawDataGo(TierStore store) throws Exception {
    store.takeSnapshots();
    assertThat(prove(store, ExitCode.DONE))
        .containsPattern("proven +2\\s")
        .contains(
            "1h of app.*: waiting: the floor of raw must be 2025-12-31T00:00:00Z or later",
            "1d of app.*: waiting: the floor of 1h must be 2026-01-01T00:00:00Z or later");
    assertThat(hours(store).message()).contains("must have a proof of app.*, 2025-12-30, found");
    ApplyReport raw = store.apply(FIRST, NEXT_YEAR, Clock.systemUTC(), step -> {});
    assertThat(raw.exitCode()).as(raw::message).isEqualTo(ExitCode.DONE);
    assertThat(store.hbase().cells(store.dataTable()))
        .extracting(cell -> store.metric(cell.row()))
        .containsOnly("web.a");
  }

  /** One count of 1d is another than that of the hours; a row of a selected metric lacks p99. */
  private static void aDifferenceProvesNothing(TierStore store) throws Exception {
    RawCell good = null;
    RawCell p99 = null;
    for (RawCell cell : store.hbase().cells(store.rollupTable("1d"))) {
      if (isOf(store, cell, YEAR) && RollupCell.offset(cell.qualifier(), 0) == 363) {
        int id = RollupCell.aggregatorId(cell.qualifier(), 0);
        good = id == COUNT ? cell : good;
        p99 = id == P99 ? cell : p99;
      }
    }
    assertThat(good).isNotNull();
    assertThat(p99).isNotNull();
    byte[] wrong = good.value().clone();
    wrong[wrong.length - 1] ^= 1;
    put(store, good, 1, wrong);
    try (Table table =
        store.hbase().connection().getTable(TableName.valueOf(store.rollupTable("1d")))) {
      table.delete(
          new Delete(p99.row()).addColumn(RowKey.family(), p99.qualifier(), p99.timestamp()));
    }
    store.takeSnapshots();
    List<String> before = store.raw(store.rollupTable("1h"));
    assertThat(prove(store, ExitCode.BAD_INPUT, "--table=1h"))
        .contains(
            "1h of app.*: refused: of 4 rollups 0 are missing, 0 are extra, 2 are different",
            "the rollups of 1h make")
        .contains("1h of app.*: proven: 4 rows");
    String file = store.proven("1h", FIRST + 1).fileName().replace("2025-12-31", "2025-12-30");
    assertThat(Files.readString(store.proofs().resolve("verify-" + file)))
        .contains("p99 is not stored, suite of rollup_config.json requires it");
    ApplyReport refused = hours(store);
    assertThat(refused.exitCode()).as(refused::message).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(refused.message()).contains("must have a proof of app.*, 2025-12-30, found none");
    assertThat(store.raw(store.rollupTable("1h"))).isEqualTo(before);
    assertThat(store.coverage().floor("1h", "app.a")).isZero();
    put(store, good, 2, good.value());
    put(store, p99, 1, p99.value());
    store.takeSnapshots();
  }

  /** Stores a value of a cell with a timestamp that is some milliseconds later. */
  private static void put(TierStore store, RawCell cell, int later, byte[] value)
      throws IOException {
    store
        .hbase()
        .putCells(
            store.rollupTable("1d"),
            List.of(
                new RawCell(
                    cell.row(), cell.family(), cell.qualifier(), cell.timestamp() + later, value)));
  }

  private static void hoursGo(TierStore store, RawCell other) throws Exception {
    String table = store.rollupTable("1h");
    List<String> before = store.raw(table);
    List<String> days = store.raw(store.rollupTable("1d"));
    List<String> raw = store.raw();
    List<String> web = answers(store, "1h", List.of("web.a"));
    assertThat(web).hasSize(SERIES * 48);
    JobRun dry = store.command(FIRST, "--table=1h", "--dry-run");
    assertThat(dry.exitCode()).as(dry::everything).isEqualTo(ExitCode.DONE);
    assertThat(dry.out()).contains(table, "2025-12-30 of app.*, 3 rows");
    assertThat(store.command(0, "--table=2h").err())
        .contains("--table must be raw or an interval of rollup_config.json", "found 2h");
    assertThat(store.raw(table)).isEqualTo(before);

    // A rollup that came after the snapshot: its row stays, the rest of it goes.
    RawCell newer = newer(store, other);
    store.hbase().putCells(table, List.of(newer));
    ApplyReport report = hours(store);
    assertThat(report.exitCode()).as(report::message).isEqualTo(ExitCode.DONE);
    JsonNode json = report.report().json();
    assertThat(json.get("table").textValue()).isEqualTo(table);
    assertThat(json.get("days")).hasSize(2);
    JsonNode rows = json.at("/days/0/rows");
    assertThat(rows.get("planned").longValue()).isEqualTo(3);
    assertThat(rows.get("deleted").longValue()).isEqualTo(2);
    assertThat(rows.get("keptForNewerCells").longValue()).isEqualTo(1);
    assertThat(json.at("/days/0/kept").toString()).isEqualTo("{\"unknownColumns\":1}");
    assertThat(json.at("/days/1/rows/deleted").longValue()).isEqualTo(4);

    String kept = HexFormat.of().formatHex(other.row());
    List<String> expected = new ArrayList<>(before);
    expected.removeIf(text -> goes(store, text, kept));
    assertThat(expected).hasSizeLessThan(before.size());
    expected.add("Put " + newer);
    assertThat(left(store, "1h")).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(store.raw(store.rollupTable("1d"))).isEqualTo(days);
    assertThat(store.raw()).isEqualTo(raw);
    assertThat(answers(store, "1h", List.of("app.b"))).isEmpty();
    assertThat(answers(store, "1h", List.of("web.a"))).isEqualTo(web);
    covered(store);
    assertThat(hours(store).report().json().at("/days/0/doneBefore").booleanValue()).isTrue();

    List<String> back = new ArrayList<>(before);
    back.add("Put " + newer);
    assertThat(undo(store, "1h", FIRST)).isEqualTo(7);
    assertThat(store.raw(table)).containsAll(back);
    assertThat(left(store, "1h")).containsAll(back).hasSize(back.size());
    Coverage coverage = store.coverage();
    assertThat(coverage.floor("1h", "app.a")).isEqualTo(FROM);
    assertThat(coverage.floor(CoverageFloor.RAW, "app.a")).isEqualTo(TO);
    assertThat(coverage.masks()).as("masks of raw data alone").isEmpty();
    assertThat(coverage.proven("1h", HOUR * 1000, "app.a").from(0)).isEqualTo(FROM * 1000);

    // The proofs hold as before.
    ApplyReport again = hours(store);
    assertThat(again.exitCode()).as(again::message).isEqualTo(ExitCode.DONE);
    assertThat(left(store, "1h")).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** The last tier: nothing proves its rows but that they are there. */
  private static void yearsGo(TierStore store) throws Exception {
    assertThat(store.command(YEAR, "--table=1d").err())
        .contains("must have a proof of app.*, 2025-01-01, found none");
    assertThat(prove(store, ExitCode.DONE, "--table=1d"))
        .contains("1d of app.*: proven: 4 rows of 40 cells may go, nothing coarser is kept");
    Proof proof = store.proven("1d", YEAR);
    assertThat(proof.rollups()).isEmpty();
    assertThat(proof.verify().compared()).isZero();
    List<String> before = left(store, "1d");
    List<String> expected = new ArrayList<>();
    for (RawCell cell : store.hbase().cells(store.rollupTable("1d"))) {
      if (!isOf(store, cell, YEAR)) {
        expected.add("Put " + cell);
      }
    }
    assertThat(expected).hasSize(before.size() - 40);

    JobRun run = store.command(YEAR, "--table=1d");
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(store.report().at("/days/0/rows/deleted").longValue()).isEqualTo(4);
    assertThat(left(store, "1d")).isEqualTo(expected);
    assertThat(store.coverage().floor("1d", "app.a")).isEqualTo(TO);
    assertThat(store.coverage().proven("1d", DAY * 1000, "app.a").contains(FROM * 1000, TO * 1000))
        .isFalse();
    assertThat(answers(store, "1d", List.of("app.a", "app.b"))).isEmpty();

    assertThat(undo(store, "1d", YEAR)).isEqualTo(4);
    assertThat(left(store, "1d")).isEqualTo(before);
    assertThat(store.coverage().proven("1d", DAY * 1000, "app.a").contains(FROM * 1000, TO * 1000))
        .isTrue();
  }

  /** Undoes all rows from a day on, and returns their number. */
  private static long undo(TierStore store, String table, int from) throws Exception {
    try (Admin admin = store.hbase().connection().getAdmin()) {
      admin.compactionSwitch(true, List.of());
      UndoReport undone = store.undo(table, from, step -> {});
      assertThat(undone.exitCode()).as(undone::message).isEqualTo(ExitCode.DONE);
      return undone.days().stream().mapToLong(UndoReport.Day::rows).sum();
    } finally {
      try (Admin admin = store.hbase().connection().getAdmin()) {
        admin.compactionSwitch(false, List.of());
      }
    }
  }

  /** What the TSD answers from a rollup table, a line for each value of a series. */
  private static List<String> answers(TierStore store, String interval, List<String> metrics) {
    TsdOracle oracle = TsdOracle.ofStoredRollups(store.tsd().client());
    List<String> answers = new ArrayList<>();
    for (String metric : metrics) {
      oracle
          .rollups(metric, FROM, TO, interval)
          .forEach((key, values) -> answers.add(key + " " + values));
    }
    return answers;
  }

  /** The cells that a table shows. */
  private static List<String> left(TierStore store, String interval) throws IOException {
    List<String> left = new ArrayList<>();
    for (RawCell cell : store.hbase().cells(store.rollupTable(interval))) {
      left.add("Put " + cell);
    }
    return left;
  }

  /** Whether the rows of the entry that begin on a day have a cell. */
  private static boolean isOf(TierStore store, RawCell cell, int day) {
    return store.isProven(cell.row(), day);
  }

  /** The text of a cell of the rows that go. */
  private static boolean goes(TierStore store, String text, String kept) {
    String row = text.substring("Put ".length(), text.indexOf(" t:"));
    byte[] key = HexFormat.of().parseHex(row);
    return (store.isProven(key, FIRST) || store.isProven(key, FIRST + 1)) && !row.equals(kept);
  }

  /** A cell of another aggregator in a row of the first day. */
  private static RawCell another(TierStore store) throws IOException {
    for (RawCell cell : store.hbase().cells(store.rollupTable("1h"))) {
      if (isOf(store, cell, FIRST)) {
        return new RawCell(
            cell.row(),
            cell.family(),
            RollupCell.doubleQualifier(9, 3),
            cell.timestamp(),
            RollupCell.doubleValue(1));
      }
    }
    throw new AssertionError("no rollups");
  }

  /** A rollup of another row of the day, with the time of now. */
  private static RawCell newer(TierStore store, RawCell other) throws IOException {
    String kept = HexFormat.of().formatHex(other.row());
    for (RawCell cell : store.hbase().cells(store.rollupTable("1h"))) {
      if (isOf(store, cell, FIRST) && !HexFormat.of().formatHex(cell.row()).equals(kept)) {
        return new RawCell(
            cell.row(),
            cell.family(),
            RollupCell.of(0, 3, false, 1),
            System.currentTimeMillis(),
            new byte[] {5});
      }
    }
    throw new AssertionError("no rollups");
  }

  /** A differing, stale or foreign proof, or raw data that came back. */
  private static void refused(TierStore store) throws Exception {
    Proof good = store.proven("1h", FIRST);
    assertThat(good.fileName()).startsWith("1h-2025-12-30-");
    assertThat(good.kept()).isEqualTo(Map.of("unknownColumns", 1L));
    assertThat(good.verify().compared()).isEqualTo(4);
    assertThat(good.proof()).isEqualTo(Proof.FORMAT_OF_SUITE);
    assertThat(good.suite()).contains("\"p99,first\"");
    assertThat(good.aggregatorIds()).containsEntry("p99", P99).hasSize(6);
    Path file = store.proofs().resolve(good.fileName());
    String written = Files.readString(file);
    List<String> before = store.raw(store.rollupTable("1h"));

    try (CoverageTable table =
        new CoverageTable(store.hbase().connection(), store.coverageTable())) {
      CoverageFloor raw = table.floors().get(0);
      assertThat(raw.level()).isEqualTo(CoverageFloor.RAW);
      table.lower(raw, null);
      ApplyReport early = hours(store);
      assertThat(early.exitCode()).as(early::message).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(early.message())
          .contains(
              "the floor of raw must be at or above the end of its rows, 2025-12-31T00:00:00Z")
          .contains("found that it is not for app.a, app.b: apply raw of the days first");
      table.raise(raw, System.currentTimeMillis());
    }

    Map<String, Proof> wrong = new TreeMap<>();
    Proof.Source other = new Proof.Source("other", "s", good.data().created(), "0".repeat(64));
    wrong.put(
        "it must be about the rollups of 1d, which the entry keeps",
        with(good, good.metrics(), good.data(), Map.of(), 0));
    wrong.put(
        "all rollups that were compared, 100, must be equal, found 99",
        with(good, good.metrics(), good.data(), good.rollups(), 99));
    wrong.put(
        "it must be about rollups of 1h rollups, found 1h",
        with(good, good.metrics(), good.data(), Map.of("1d", other, "1h", other), 100));
    wrong.put(
        "the rollup table must be " + store.rollupTable("1h"),
        with(good, good.metrics(), other, good.rollups(), 100));
    wrong.put(
        "metric UID 000001 must have in the snapshot what the proof names",
        with(
            good,
            new TreeMap<>(Map.of("000001", new Proof.Rows(1, 0, 1))),
            good.data(),
            good.rollups(),
            100));
    for (Map.Entry<String, Proof> each : wrong.entrySet()) {
      store.write(each.getValue());
      ApplyReport refused = hours(store);
      assertThat(refused.exitCode()).as(each.getKey()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(refused.message()).contains(each.getKey());
    }
    Files.writeString(file, written);
    ApplyReport stale = hours(store, Clock.offset(Clock.systemUTC(), Duration.ofDays(8)));
    assertThat(stale.message()).contains("its data snapshot must be at most 7 days old");
    assertThat(store.raw(store.rollupTable("1h"))).isEqualTo(before);
    assertThat(store.coverage().floor("1h", "app.a")).isZero();
  }

  private static Proof with(
      Proof good,
      SortedMap<String, Proof.Rows> metrics,
      Proof.Source data,
      Map<String, Proof.Source> rollups,
      long equal) {
    return new Proof(
        good.proof(),
        good.version(),
        good.policy(),
        good.cluster(),
        good.schema(),
        good.aggregatorIds(),
        good.suite(),
        good.anyBucket(),
        good.table(),
        good.from(),
        good.to(),
        metrics,
        good.kept(),
        data,
        rollups,
        new Proof.Verified("0".repeat(64), rollups.isEmpty() ? 0 : 100, equal),
        Proof.Series.NONE,
        good.provenAt());
  }

  /** No query reads hours of the days any more. */
  private static void covered(TierStore store) throws IOException {
    Coverage coverage = store.coverage();
    assertThat(coverage.reason()).isEmpty();
    assertThat(coverage.floor("1h", "app.a")).isEqualTo(TO);
    assertThat(coverage.floor(CoverageFloor.RAW, "app.a")).isEqualTo(TO);
    assertThat(coverage.floor("1h", "web.a")).isZero();
    long from = FROM * 1000;
    long to = TO * 1000;
    assertThat(coverage.proven("1h", HOUR * 1000, "app.a").contains(from, to)).isFalse();
    assertThat(coverage.proven("1h", HOUR * 1000, "web.a").contains(from, to)).isTrue();
    assertThat(coverage.proven("1d", DAY * 1000, "app.a").contains(from, to)).isTrue();
  }
}
