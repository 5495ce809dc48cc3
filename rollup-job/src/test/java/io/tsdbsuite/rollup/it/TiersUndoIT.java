package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.tiers.apply.ApplyReport;
import io.tsdbsuite.rollup.tiers.apply.UndoReport;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code tiers undo} brings back over a real HBase and TSD. */
class TiersUndoIT {
  private static final long FROM = TierStore.FROM;
  private static final long HOUR = TierStore.HOUR;
  private static final long DAY = TierStore.DAY;
  private static final int SERIES = 3;

  /** {@link SharedStack} has it switched off. */
  @BeforeEach
  void compactionsOn() throws IOException {
    compactions(true);
  }

  @AfterEach
  void compactionsOff() throws IOException {
    compactions(false);
  }

  private static void compactions(boolean on) throws IOException {
    try (Admin admin = SharedStack.get().hbase().connection().getAdmin()) {
      admin.compactionSwitch(on, List.of());
    }
  }

  private static long floor(TierStore store) throws IOException {
    return store.coverage().floor(CoverageFloor.RAW, "app.a");
  }

  private static void apply(TierStore store, long from, long to) {
    ApplyReport applied = store.apply(from, to, Clock.systemUTC(), step -> {});
    assertThat(applied.exitCode()).as(applied::message).isEqualTo(ExitCode.DONE);
  }

  /** The answers of the TSD from raw data. */
  private static String answers(TierStore store, long from, long to) {
    store.tsd().client().dropCaches();
    List<String> answers = new ArrayList<>();
    for (String metric : TierStore.METRICS) {
      store
          .tsd()
          .client()
          .query(QuerySpec.of(metric, from, to - 1).rollupUsage("ROLLUP_RAW"))
          .forEach(series -> answers.add(series.toString()));
    }
    answers.sort(null);
    return String.join("\n", answers);
  }

  @Test
  void aDayComesBackByteByByteAndLatePointsStay() throws Exception {
    List<byte[]> splits = List.of(HexFormat.of().parseHex("000002"));
    try (TierStore store = new TierStore("tundo", splits, SERIES, 2)) {
      oneDay(store, false);
    }
  }

  @Test
  void saltBucketsAndATableThatWasCompacted() throws Exception {
    List<byte[]> splits = List.of(new byte[] {1}, new byte[] {3});
    try (TierStore store =
        new TierStore(
            "tundo-salted",
            splits,
            SERIES,
            2,
            "tsd.storage.salt.width",
            "1",
            "tsd.storage.salt.buckets",
            "5")) {
      oneDay(store, true);
    }
  }

  /**
   * Histograms go with the points of their metric if its rollups have histograms: of rows without
   * points, and beside an annotation, which stays. Of other metrics their rows stay.
   */
  @Test
  @Tag("slow")
  void histogramsGoAndComeBack() throws Exception {
    String suite =
        ",'suite':{'histograms':[{'metrics':'app.a','intervals':'1h,1d'}],"
            + "'histogramTables':{'1h':'tundo-h-1h','1d':'tundo-h-1d'}}";
    try (TierStore store =
        new TierStore("tundo-h", List.of(), 2, List.of(0, 1), RollupStore.IDS + suite)) {
      var client = store.tsd().client();
      // On the day itself the series has no points: else its histograms would lack them.
      Map<String, String> tags = Map.of("host", "h9");
      client.put(List.of(new DataPoint("app.a", FROM + DAY + HOUR, 9L, tags)));
      String tsuid =
          client.query(QuerySpec.of("app.a", FROM + DAY, FROM + 2 * DAY).tag("host", "h9")).stream()
              .findFirst()
              .orElseThrow()
              .tsuids()
              .get(0);
      for (long hour = 3; hour < 5; hour++) {
        client.putHistogram("app.a", FROM + hour * HOUR + 45, Map.of("0,10", 3L), tags);
      }
      client.putAnnotation(tsuid, FROM + 4 * HOUR + 30, "deployed");
      // The next day it has both: then raw data alone have all.
      client.putHistogram("app.a", FROM + DAY + 3 * HOUR + 45, Map.of("0,10", 3L), tags);
      client.putHistogram("app.b", FROM + 5 * HOUR + 45, Map.of("0,10", 3L), Map.of("host", "h1"));
      store.rollUp();
      List<String> before = store.raw();
      List<String> stored = store.raw("tundo-h-1h");
      JobRun odd = store.proveCommand(1);
      assertThat(odd.exitCode()).as(odd::everything).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(odd.out())
          .contains(
              "0 histograms are too wide to be stored, and 1 lack the points beside their cells, of"
                  + " metrics: app.a. Only raw data have them");
      // Made by hand, about the rollups of 1h and 1d alone.
      store.write(store.proof(0));
      assertThat(store.apply(0).message())
          .contains("must be about the rollups of 1h.histogram, which the entry keeps");
      assertThat(store.raw()).isEqualTo(before);

      Proof proof = store.prove(0);
      assertThat(proof.withHistograms()).containsExactly(1L);
      ApplyReport applied = store.apply(0);
      assertThat(applied.exitCode()).as(applied::message).isEqualTo(ExitCode.DONE);
      JsonNode rows = applied.report().json().at("/days/1/rows");
      assertThat(rows.get("planned").longValue()).isEqualTo(2L * 24 * 2 + 2 - 1);
      assertThat(rows.get("deleted")).isEqualTo(rows.get("planned"));
      assertThat(store.hbase().cells(store.dataTable()))
          .filteredOn(cell -> store.isProven(cell.row(), 0))
          .extracting(cell -> store.metric(cell.row()) + " " + TierStore.kind(cell))
          .containsExactlyInAnyOrder(
              "app.a ANNOTATION", "app.b SECONDS_POINT", "app.b SECONDS_POINT", "app.b HISTOGRAM");
      // But for the row with the marker of the coverage.
      assertThat(store.raw("tundo-h-1h")).containsAll(stored.subList(3, stored.size()));

      Path plain =
          Files.writeString(
              store.proofs().resolveSibling("plain.json"),
              RollupStore.config(
                  "tundo-h-data", "tundo-h-rollup", RollupStore.IDS, List.of("1h", "1d")));
      JobRun other = store.undoCommand(0, "--rollup-config=" + plain);
      assertThat(other.exitCode()).as(other::everything).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(other.err())
          .contains("suite of rollup_config.json must be none, found {\"histograms\"");
      JobRun undone = store.undoCommand(0);
      assertThat(undone.exitCode()).as(undone::everything).isEqualTo(ExitCode.DONE);
      assertThat(store.raw()).isEqualTo(before);
    }
  }

  private static void oneDay(TierStore store, boolean compacted) throws Exception {
    // Beside points: these stay where they are.
    String tsuid =
        store
            .tsd()
            .client()
            .query(QuerySpec.of("app.a", FROM, FROM + HOUR).tag("host", "h1"))
            .get(0)
            .tsuids()
            .get(0);
    store.tsd().client().putAnnotation(tsuid, FROM + 4 * HOUR + 30, "deployed");
    store.rollUp();
    store.write(store.proof(0));
    List<String> before = store.raw();
    // Of the hours without late points.
    String answers = answers(store, FROM + 4 * HOUR, FROM + 2 * DAY);
    apply(store, 0, 1);
    assertThat(answers(store, FROM + 4 * HOUR, FROM + 2 * DAY)).isNotEqualTo(answers);
    assertThat(store.raw()).isNotEqualTo(before);

    // In a row that was deleted, and in one of its own, on a day that comes back.
    store
        .tsd()
        .client()
        .put(
            List.of(
                new DataPoint("app.a", FROM + HOUR + 1234, 99L, Map.of("host", "h0")),
                new DataPoint("app.b", FROM + 3 * HOUR + 9, 98L, Map.of("host", "h77"))));
    List<RawCell> late = new ArrayList<>(store.hbase().cells(store.dataTable()));
    late.removeIf(cell -> before.contains("Put " + cell));
    assertThat(late).hasSize(2);
    List<String> expected = new ArrayList<>(before);
    late.forEach(cell -> expected.add("Put " + cell));
    if (compacted) {
      store.hbase().majorCompact(store.dataTable());
      assertThat(store.raw().toString()).doesNotContain("Delete");
    }
    List<String> applied = store.raw();

    JobRun dry = store.undoCommand(0, "--dry-run");
    assertThat(dry.exitCode()).as(dry::everything).isEqualTo(ExitCode.DONE);
    assertThat(dry.out()).contains("app.*, 2025-11-18", "nothing was changed");
    assertThat(store.raw()).isEqualTo(applied);
    JobRun foreign = store.undoCommand(0, "--match=web.*");
    assertThat(foreign.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(foreign.err()).contains("--match must be the pattern of an entry", "web.*");

    JobRun undone = store.undoCommand(0, "--match=app.*");
    assertThat(undone.exitCode()).as(undone::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = store.report();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/days/0/rows/planned").longValue()).isEqualTo(2L * 24 * SERIES);
    assertThat(report.at("/days/0/rows/restored").longValue()).isEqualTo(2L * 24 * SERIES);
    assertThat(report.at("/days/0/cells").longValue()).isEqualTo(2L * 2 * 24 * SERIES);
    assertThat(store.raw()).containsExactlyInAnyOrderElementsOf(expected);
    // The order is that of HBase: without the late cells it is the one of before.
    List<String> inOrder = new ArrayList<>(store.raw());
    late.forEach(cell -> inOrder.remove("Put " + cell));
    assertThat(inOrder).isEqualTo(before);
    assertThat(floor(store)).isEqualTo(FROM);
    masked(store);
    assertThat(answers(store, FROM + 4 * HOUR, FROM + 2 * DAY)).isEqualTo(answers);

    // A second one has nothing to do.
    JobRun again = store.undoCommand(0, "--match=app.*");
    assertThat(again.exitCode()).as(again::everything).isEqualTo(ExitCode.DONE);
    assertThat(again.out()).contains("none of an apply is above --from");
    assertThat(store.report().get("planned")).isEmpty();

    // The same proof does not count for a day with masks; a new one does.
    List<String> back = store.raw();
    ApplyReport old = store.apply(0);
    assertThat(old.exitCode()).as(old::message).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(old.message()).contains("must prove the 1h rollups of the day");
    assertThat(store.raw()).isEqualTo(back);
    store.rollUpAgain();
    store.write(store.proof(0));
    ApplyReport anew = store.apply(0);
    assertThat(anew.exitCode()).as(anew::message).isEqualTo(ExitCode.DONE);
    JsonNode rows = anew.report().json().at("/days/0/rows");
    assertThat(rows.get("planned").longValue()).isEqualTo(2L * 24 * SERIES + 1);
    assertThat(rows.get("keptForNewerCells").longValue()).isEqualTo(2);
    assertThat(rows.get("deleted").longValue()).isEqualTo(2L * 24 * SERIES - 1);
    assertThat(floor(store)).isEqualTo(FROM + DAY);
  }

  private static void masked(TierStore store) throws IOException {
    Coverage coverage = store.coverage();
    List<String> masks = new ArrayList<>();
    for (CoverageMask mask : coverage.masks()) {
      masks.add(mask.kind() + " " + mask.metric() + " " + mask.from() + " " + mask.to());
    }
    assertThat(masks).containsExactly("LATE * " + FROM + " " + (FROM + DAY));
    assertThat(
            coverage.proven("1h", HOUR * 1000, "app.a").contains(FROM * 1000, (FROM + HOUR) * 1000))
        .isFalse();
    assertThat(
            coverage
                .proven("1h", HOUR * 1000, "app.a")
                .contains((FROM + DAY) * 1000, (FROM + 2 * DAY) * 1000))
        .isTrue();
  }

  /** Stopped before each step, and then done by a second one; the newest days first. */
  @Test
  void aSecondUndoFinishesWhatWasStoppedAnywhere() throws Exception {
    List<String> steps = List.of("COMPACT", "WRITE", "LOAD", "LOOK", "MASK", "FLOOR", "CLEAR");
    int days = steps.size();
    try (TierStore store =
        new TierStore("tundo-stop", List.of(HexFormat.of().parseHex("000002")), 2, days)) {
      store.rollUp();
      for (int day = 0; day < days; day++) {
        store.write(store.proof(day));
      }
      List<String> before = store.raw();
      List<RawCell> whole = store.hbase().cells(store.dataTable());
      // The last day has begun to go.
      apply(store, 0, days - 1L);
      ApplyReport begun =
          store.apply(
              0,
              days,
              Clock.systemUTC(),
              step -> {
                if (step.equals("COUNT")) {
                  throw new AssertionError("stopped before " + step);
                }
              });
      assertThat(begun.message()).contains("stopped before COUNT");
      assertThat(floor(store)).isEqualTo(FROM + days * DAY);

      Set<String> evidence = new HashSet<>();
      for (int i = 0; i < days; i++) {
        String stop = steps.get(i);
        int day = days - 1 - i;
        UndoReport stopped =
            store.undo(
                day,
                step -> {
                  if (step.equals(stop)) {
                    throw new AssertionError("stopped before " + step);
                  }
                });
        assertThat(stopped.message()).contains("stopped before " + stop);
        if (List.of("WRITE", "LOAD", "LOOK", "MASK").contains(stop)) {
          ApplyReport refused = store.apply(day);
          assertThat(refused.exitCode()).as(refused::message).isEqualTo(ExitCode.BAD_INPUT);
          assertThat(refused.message()).contains("no undo of its day may have begun");
        }
        if (stop.equals("FLOOR") || stop.equals("CLEAR")) {
          ApplyReport refused = store.apply(day);
          assertThat(refused.exitCode()).as(refused::message).isEqualTo(ExitCode.BAD_INPUT);
          assertThat(refused.message()).contains("must be newer than the masks of the day");
        }
        Set<String> splits = new TreeSet<>(i == 0 ? Set.of("COMPACT", "LOAD") : Set.of());
        UndoReport finished =
            store.undo(
                day,
                step -> {
                  if (splits.remove(step)) {
                    split(store, whole, day, step.equals("LOAD") ? "app.b" : "app.a");
                  }
                });
        assertThat(splits).isEmpty();
        assertThat(finished.exitCode()).as(stop + finished.message()).isEqualTo(ExitCode.DONE);
        assertThat(finished.booksClose()).as(stop).isTrue();
        assertThat(floor(store)).as(stop).isEqualTo(FROM + day * DAY);
        for (CoverageFloor floor : store.coverage().floors()) {
          assertThat(floor.evidence()).startsWith("rollup-job tiers undo of 20");
          assertThat(evidence.add(floor.evidence())).as("another evidence").isTrue();
        }
        List<RawCell> expected = new ArrayList<>(whole);
        expected.removeIf(
            cell ->
                store.metric(cell.row()).startsWith("app.")
                    && store.keys.baseTime(cell.row(), 0) < FROM + day * DAY);
        assertThat(store.hbase().cells(store.dataTable())).as(stop).isEqualTo(expected);
      }
      assertThat(store.raw()).isEqualTo(before);
      for (String dir : Objects.requireNonNull(store.markers().toFile().list())) {
        assertThat(files(store.markers().resolve(dir))).as(dir).containsExactly("_undone");
      }
    }
  }

  /** The files of a directory, without checksums. */
  private static List<String> files(Path dir) {
    List<String> names = new ArrayList<>();
    for (String name : Objects.requireNonNull(dir.toFile().list())) {
      if (!name.startsWith(".")) {
        names.add(name);
      }
    }
    return names;
  }

  /** Splits the region of a metric in the midst of a day. */
  private static void split(TierStore store, List<RawCell> cells, long day, String metric) {
    List<RawCell> ofDay =
        cells.stream()
            .filter(
                cell -> store.isOfDay(cell.row(), day) && store.metric(cell.row()).equals(metric))
            .toList();
    try {
      store.hbase().split(store.dataTable(), ofDay.get(ofDay.size() / 2).row());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatIsNotAccountedForStays() throws Exception {
    int days = 3;
    try (TierStore store = new TierStore("tundo-lost", List.of(), 2, days)) {
      store.rollUp();
      List<Path> dirs = new ArrayList<>();
      for (int day = 0; day < days; day++) {
        Proof proof = store.proof(day);
        store.write(proof);
        dirs.add(store.markers().resolve("1-" + proof.sha256()));
      }
      int[] loads = {0};
      ApplyReport begun =
          store.apply(
              0,
              days,
              Clock.systemUTC(),
              step -> {
                if (step.equals("LOADING") && ++loads[0] == days) {
                  throw new AssertionError("the last day does not go");
                }
              });
      assertThat(begun.message()).contains("the last day does not go");
      List<String> applied = store.raw();

      Path elsewhere = Files.createDirectory(store.markers().resolveSibling("elsewhere"));
      refused(
          store.undo(0, elsewhere, store.coverageTable(), step -> {}),
          "must tell which raw data of app.*,!app.none.* are gone from 2025-11-18",
          "found none for 2025-11-18T00:00:00Z and later");
      assertThat(floor(store)).isEqualTo(FROM + 3 * DAY);

      // Of the last day all rows are there.
      UndoReport last = store.undo(2, step -> {});
      assertThat(last.exitCode()).as(last::message).isEqualTo(ExitCode.DONE);
      assertThat(last.planned()).isEmpty();
      assertThat(floor(store)).isEqualTo(FROM + 2 * DAY);
      assertThat(files(dirs.get(2))).containsExactly("_undone");
      // The first apply tells no more of this day, which another may delete now.
      assertThat(Files.readString(dirs.get(0).resolve("_floor")))
          .contains("\"before\" : " + (FROM + 2 * DAY));

      String other = store.coverageTable() + "-other";
      try (Admin admin = store.hbase().connection().getAdmin();
          CoverageTable table = new CoverageTable(store.hbase().connection(), other)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(TableName.valueOf(other))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("c"))
                .build());
        assertThat(table.upgrade()).isTrue();
      }
      refused(
          store.undo(0, store.markers(), other, step -> {}),
          "must have a floor of app.*,!app.none.* above 2025-11-18T00:00:00Z",
          "found none: is it the coverage table of the apply?");
      assertThat(files(dirs.get(0))).contains("tiers-apply.json", "_loaded");

      Path away = store.markers().resolve("away");
      Files.move(dirs.get(1), away);
      refused(
          store.undo(0, step -> {}),
          "gone from 2025-11-18",
          "found none for 2025-11-19T00:00:00Z and later");
      // An apply that took the day for gone already would be an account of nothing.
      ApplyReport blind = store.apply(1);
      assertThat(blind.exitCode()).as(blind::message).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(blind.message())
          .contains("must not be below the floor of its entry, 2025-11-20T00:00:00Z")
          .contains("another --hfile-dir");
      Files.move(away, dirs.get(1));

      compactions(false);
      UndoReport hidden = store.undo(0, step -> {});
      assertThat(hidden.exitCode()).as(hidden::message).isEqualTo(ExitCode.OUTSIDE);
      assertThat(hidden.message())
          .contains("10 major compactions of a region must remove the delete markers")
          .contains("switch compactions on");

      store.deleteSnapshot();
      refused(store.undo(0, step -> {}), "app.*, 2025-11-18: ", "tundo-lost-snapshot");
      assertThat(floor(store)).isEqualTo(FROM + 2 * DAY);
      assertThat(store.raw()).isEqualTo(applied);
    }
  }

  private static void refused(UndoReport undo, String... message) {
    assertThat(undo.exitCode()).as(undo::message).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(undo.message()).contains(message);
  }
}
