package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.tiers.apply.ApplyReport;
import io.tsdbsuite.rollup.tiers.apply.UndoReport;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.testkit.RawCell;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.Test;

/** What {@code tiers apply} deletes of a rollup table, and what {@code tiers undo} brings back. */
class TiersRollupsIT {
  private static final long FROM = TierStore.FROM;
  private static final long HOUR = TierStore.HOUR;
  private static final long DAY = TierStore.DAY;
  private static final int SERIES = 2;

  /** Hours are kept for less than a year. */
  private static final String POLICY = TierStore.POLICY.replace("13M", "11M");

  private static ApplyReport hours(TierStore store, Clock clock) {
    return store.apply("1h", 0, 1, clock, step -> {});
  }

  private static ApplyReport hours(TierStore store) {
    return hours(store, Clock.systemUTC());
  }

  /** Hours of a day go after its raw data; days stay. */
  @Test
  void theHoursOfADayGoAndComeBack() throws Exception {
    try (TierStore store =
        new TierStore("thours", List.of(HexFormat.of().parseHex("000002")), SERIES, 2)) {
      store.keep(POLICY);
      store.rollUp();
      String table = store.rollupTable("1h");
      store.makeOld(table);
      RawCell other = another(store);
      store.hbase().putCells(table, List.of(other));
      store.write(store.proof(0));
      Proof proof = store.hours(0);
      assertThat(proof.fileName()).startsWith("1h-2025-11-18-");
      assertThat(proof.kept()).isEqualTo(Map.of("unknownColumns", 1L));
      List<String> before = store.raw(table);
      List<String> days = store.raw(store.rollupTable("1d"));

      refused(store, proof, before);
      List<String> raw = store.raw();
      JobRun dry = store.command(0, "--table=1h", "--dry-run");
      assertThat(dry.exitCode()).as(dry::everything).isEqualTo(ExitCode.DONE);
      assertThat(dry.out()).contains(table, "2025-11-18 of app.*, 3 rows");
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
      JsonNode rows = json.at("/days/0/rows");
      assertThat(rows.get("planned").longValue()).isEqualTo(3);
      assertThat(rows.get("deleted").longValue()).isEqualTo(2);
      assertThat(rows.get("keptForNewerCells").longValue()).isEqualTo(1);
      assertThat(json.at("/days/0/kept").toString()).isEqualTo("{\"unknownColumns\":1}");

      String kept = HexFormat.of().formatHex(other.row());
      List<String> left = new ArrayList<>();
      for (RawCell cell : store.hbase().cells(table)) {
        left.add("Put " + cell);
      }
      List<String> expected = new ArrayList<>(before);
      expected.removeIf(text -> goes(store, text, kept));
      assertThat(expected).hasSizeLessThan(before.size());
      expected.add("Put " + newer);
      assertThat(left).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(store.raw(store.rollupTable("1d"))).isEqualTo(days);
      assertThat(store.raw()).isEqualTo(raw);
      covered(store);
      assertThat(hours(store).report().json().at("/days/0/doneBefore").booleanValue()).isTrue();

      comesBack(store, before, newer);
    }
  }

  /** The text of a cell of the rows that go. */
  private static boolean goes(TierStore store, String text, String kept) {
    String row = text.substring("Put ".length(), text.indexOf(" t:"));
    byte[] key = HexFormat.of().parseHex(row);
    return store.isProven(key, 0) && !row.equals(kept);
  }

  /** A cell of another aggregator in a row of the day. */
  private static RawCell another(TierStore store) throws IOException {
    for (RawCell cell : store.hbase().cells(store.rollupTable("1h"))) {
      if (store.isProven(cell.row(), 0)) {
        return new RawCell(
            cell.row(),
            cell.family(),
            RollupCell.doubleQualifier(TierStore.OTHER, 3),
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
      if (store.isProven(cell.row(), 0) && !HexFormat.of().formatHex(cell.row()).equals(kept)) {
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

  /** A missing, differing, stale or foreign proof, or raw data that are still there. */
  private static void refused(TierStore store, Proof good, List<String> before) throws Exception {
    assertThat(hours(store).message()).contains("must have a proof of app.*, 2025-11-18, found");
    store.write(good);
    ApplyReport early = hours(store);
    assertThat(early.exitCode()).as(early::message).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(early.message())
        .contains("the floor of raw must be at or above the end of its rows, 2025-11-19T00:00:00Z")
        .contains("found that it is not for app.a, app.b: apply raw of the days first");
    ApplyReport raw = store.apply(0);
    assertThat(raw.exitCode()).as(raw::message).isEqualTo(ExitCode.DONE);

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
    store.write(good);
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

  /** No query reads hours of the day any more. */
  private static void covered(TierStore store) throws IOException {
    Coverage coverage = store.coverage();
    assertThat(coverage.reason()).isEmpty();
    assertThat(coverage.floor("1h", "app.a")).isEqualTo(FROM + DAY);
    assertThat(coverage.floor(CoverageFloor.RAW, "app.a")).isEqualTo(FROM + DAY);
    assertThat(coverage.floor("1h", "web.a")).isZero();
    long from = FROM * 1000;
    long to = (FROM + DAY) * 1000;
    assertThat(coverage.proven("1h", HOUR * 1000, "app.a").from(0)).isEqualTo(to);
    assertThat(coverage.proven("1h", HOUR * 1000, "web.a").contains(from, to)).isTrue();
    assertThat(coverage.proven("1d", DAY * 1000, "app.a").contains(from, to)).isTrue();
  }

  private static void comesBack(TierStore store, List<String> before, RawCell newer)
      throws Exception {
    try (Admin admin = store.hbase().connection().getAdmin()) {
      admin.compactionSwitch(true, List.of());
      UndoReport undone = store.undo("1h", 0, step -> {});
      assertThat(undone.exitCode()).as(undone::message).isEqualTo(ExitCode.DONE);
      assertThat(undone.days()).singleElement().extracting(UndoReport.Day::rows).isEqualTo(3L);
      List<String> expected = new ArrayList<>(before);
      expected.add("Put " + newer);
      assertThat(store.raw(store.rollupTable("1h"))).containsAll(expected);
      Coverage coverage = store.coverage();
      assertThat(coverage.floor("1h", "app.a")).isEqualTo(FROM);
      assertThat(coverage.floor(CoverageFloor.RAW, "app.a")).isEqualTo(FROM + DAY);
      assertThat(coverage.masks()).as("masks of raw data alone").isEmpty();
      assertThat(coverage.proven("1h", HOUR * 1000, "app.a").from(0)).isEqualTo(FROM * 1000);
    } finally {
      try (Admin admin = store.hbase().connection().getAdmin()) {
        admin.compactionSwitch(false, List.of());
      }
    }
  }
}
