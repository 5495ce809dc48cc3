package io.tsdbsuite.rollup.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.tiers.apply.ApplyReport;
import io.tsdbsuite.rollup.tiers.apply.StoppedApply;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseRegionServer;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code tiers apply} deletes over a real HBase and TSD, and what it leaves. */
class TiersApplyIT {
  private static final long FROM = TierStore.FROM;
  private static final long HOUR = TierStore.HOUR;
  private static final long DAY = TierStore.DAY;
  private static final int SERIES = 5;

  /** Rows of a day of the two proven metrics. */
  private static final long ROWS = 2 * 24 * SERIES;

  private static DataPoint late(String metric, long time, int host) {
    return new DataPoint(metric, time, 99L, Map.of("host", "h" + host));
  }

  /** The points that queries find, by row and column. */
  private static SortedMap<String, RawCell> points(TierStore store) throws IOException {
    SortedMap<String, RawCell> cells = new TreeMap<>();
    for (RawCell cell : store.hbase().cells(store.dataTable())) {
      String key =
          HexFormat.of().formatHex(cell.row()) + HexFormat.of().formatHex(cell.qualifier());
      cells.put(key, cell);
    }
    return cells;
  }

  private static SortedMap<RollupKey, RollupValues> rollups(TierStore store, String interval) {
    SortedMap<RollupKey, RollupValues> all = new TreeMap<>();
    for (String metric : TierStore.METRICS) {
      all.putAll(
          TsdOracle.ofStoredRollups(store.tsd().client())
              .rollups(metric, FROM, FROM + 2 * DAY, interval));
    }
    return all;
  }

  private static int rawPoints(TierStore store, String metric, long from, long to) {
    int points = 0;
    for (Series series :
        store.tsd().client().query(QuerySpec.of(metric, from, to - 1).rollupUsage("ROLLUP_RAW"))) {
      points += series.points().size();
    }
    return points;
  }

  @Test
  void aProvenDayGoesAndAllElseStays() throws Exception {
    List<byte[]> splits = List.of(HexFormat.of().parseHex("000002"));
    try (TierStore store = new TierStore("tapply", splits, SERIES, 2)) {
      asides(store);
      store.rollUp();
      oneDay(store, (step, work) -> work.run());
    }
  }

  /** Regions move to another region server and back while rollups are loaded and the steps run. */
  @Test
  @Tag("slow")
  void saltBucketsWhileRegionsMoveAndOneIsSplit() throws Exception {
    List<byte[]> splits = List.of(new byte[] {1}, new byte[] {3});
    try (HBaseRegionServer second = SharedStack.get().hbase().startRegionServer();
        TierStore store = salted("tapply-salted", splits, 5);
        MovingRegions moving = new MovingRegions(store)) {
      asides(store);
      moving.besideRollUp();
      int loaded = moving.moves();
      assertThat(loaded).isPositive();
      oneDay(store, moving::before);
      // One for each step but LOADED, and more: days and floors of two entries.
      assertThat(moving.moves() - loaded).isGreaterThan(StoppedApply.steps());
      assertThat(second.isAlive()).isTrue();
    }
  }

  private static TierStore salted(String name, List<byte[]> splits, int buckets)
      throws IOException {
    return new TierStore(
        name,
        splits,
        SERIES,
        2,
        "tsd.storage.salt.width",
        "1",
        "tsd.storage.salt.buckets",
        Integer.toString(buckets));
  }

  /**
   * Applies a day that is rolled up.
   *
   * @param before is told each step, and does the work that is for it
   */
  private static void oneDay(TierStore store, BiConsumer<String, Runnable> before)
      throws Exception {
    Proof proof = store.prove(0);
    assertThat(proof.metrics()).isEqualTo(store.proof(0).metrics());
    assertThat(proof.kept()).isEqualTo(store.proof(0).kept());
    SortedMap<String, RawCell> first = points(store);
    SortedMap<RollupKey, RollupValues> hours = rollups(store, "1h");
    SortedMap<RollupKey, RollupValues> days = rollups(store, "1d");
    assertThat(hours).isNotEmpty();

    // A new point of a row, one that replaces another, and a row that was not in the snapshot.
    List<DataPoint> meanwhile =
        List.of(
            late("app.a", FROM + HOUR + 1234, 0),
            late("app.a", FROM + 2 * HOUR, 0),
            late("app.b", FROM + 3 * HOUR + 9, 77));
    store.tsd().client().put(meanwhile);
    // Stored after the snapshot by a server whose clock is 59 s behind.
    RawCell behind = of(store, first);
    store.hbase().putCells(store.dataTable(), List.of(behind));
    SortedMap<String, RawCell> withLate = points(store);
    assertThat(withLate).hasSize(first.size() + 3);

    JobRun dry = store.command(0, "--dry-run");
    assertThat(dry.exitCode()).as(dry::everything).isEqualTo(ExitCode.DONE);
    assertThat(dry.out()).contains("2025-11-18 of app.*", "nothing was deleted or written");
    assertThat(store.markers()).doesNotExist();
    assertThat(points(store)).isEqualTo(withLate);

    boolean[] split = {false};
    ApplyReport report =
        store.apply(
            0,
            1,
            Clock.systemUTC(),
            step ->
                before.accept(
                    step,
                    () -> {
                      if (step.equals("LOAD") && !split[0]) {
                        split[0] = true;
                        split(store, withLate);
                      }
                    }));
    assertThat(report.exitCode()).as(report::message).isEqualTo(ExitCode.DONE);
    assertThat(split[0]).isTrue();
    assertThat(report.booksClose()).isTrue();
    // Of the planned rows, the histogram's has got no marker, and three have newer points.
    JsonNode ofDay = last(report);
    assertThat(ofDay.get("match").textValue()).isEqualTo("app.*");
    JsonNode rows = ofDay.get("rows");
    assertThat(rows.get("planned").longValue()).isEqualTo(ROWS - 1);
    assertThat(rows.get("deleted").longValue()).isEqualTo(ROWS - 4);
    assertThat(rows.get("keptForNewerCells").longValue()).isEqualTo(3);
    assertThat(rows.get("alreadyGone").longValue()).isZero();
    assertThat(ofDay.get("kept").toString()).isEqualTo("{\"annotations\":1,\"histograms\":1}");

    SortedMap<String, RawCell> left = new TreeMap<>(withLate);
    left.values().removeIf(cell -> goes(store, cell, first));
    assertThat(left.size()).isLessThan(withLate.size() - (int) ROWS);
    assertThat(points(store)).isEqualTo(left);
    Coverage coverage = store.coverage();
    assertThat(coverage.reason()).isEmpty();
    assertThat(coverage.floor(CoverageFloor.RAW, "app.a")).isEqualTo(FROM + DAY);
    assertThat(coverage.floor(CoverageFloor.RAW, "web.a")).isZero();

    store.tsd().client().dropCaches();
    assertThat(rollups(store, "1h")).isEqualTo(hours);
    assertThat(rollups(store, "1d")).isEqualTo(days);
    assertThat(rawPoints(store, "app.a", FROM + 5 * HOUR, FROM + 19 * HOUR))
        .as("the row with a histogram")
        .isEqualTo(2);
    assertThat(rawPoints(store, "web.a", FROM, FROM + DAY)).isEqualTo(2 * 24 * SERIES);
    assertThat(rawPoints(store, "app.b", FROM + DAY, FROM + 2 * DAY)).isEqualTo(2 * 24 * SERIES);

    // Afterwards.
    store.tsd().client().put(List.of(late("app.b", FROM + 7 * HOUR, 0)));
    assertThat(points(store)).hasSize(left.size() + 1);
    JobRun again = store.command(0);
    assertThat(again.exitCode()).as(again::everything).isEqualTo(ExitCode.DONE);
    assertThat(again.out()).contains("done before, nothing is left");
    assertThat(store.report().at("/days/0/doneBefore").booleanValue()).isTrue();
    assertThat(points(store)).hasSize(left.size() + 1);
    Path run = store.markers().resolve("1-" + proof.sha256());
    LoadRun load = LoadRun.of(run, store.tsd().configFile());
    assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.USAGE);
    assertThat(load.err()).contains("must be the directory of one run");
  }

  /** The day of the last entry. */
  private static JsonNode last(ApplyReport report) {
    JsonNode days = report.report().json().get("days");
    return days.get(days.size() - 1);
  }

  /** A point in a row of the proven day, 59 s older than the snapshot. */
  private static RawCell of(TierStore store, SortedMap<String, RawCell> before) throws IOException {
    RawCell cell =
        before.values().stream()
            .filter(
                of ->
                    store.isProven(of.row(), 0)
                        && store.keys.baseTime(of.row(), 0) == FROM + 20 * HOUR)
            .findFirst()
            .orElseThrow();
    return new RawCell(
        cell.row(),
        cell.family(),
        Qualifier.ofSeconds(3599, false, 1),
        store.proof(0).data().created().toEpochMilli() - 59_000,
        new byte[] {1});
  }

  private static Path only(Path directory) {
    String[] names = directory.toFile().list();
    assertThat(names).hasSize(1);
    return directory.resolve(names[0]);
  }

  /** Annotates a row with points; returns the TSUID of its series. */
  private static String annotate(TierStore store) {
    var client = store.tsd().client();
    String tsuid =
        client.query(QuerySpec.of("app.a", FROM, FROM + HOUR).tag("host", "h1")).stream()
            .findFirst()
            .orElseThrow()
            .tsuids()
            .get(0);
    client.putAnnotation(tsuid, FROM + 4 * HOUR + 30, "deployed");
    client.putAnnotation(tsuid, (FROM + 4 * HOUR + 31) * 1000 + 5, "again");
    return tsuid;
  }

  /** Annotations beside points and alone, and a histogram. */
  private static void asides(TierStore store) {
    var client = store.tsd().client();
    String tsuid = annotate(store);
    client.putHistogram("app.a", FROM + 6 * HOUR + 45, Map.of("0,10", 3L), Map.of("host", "h1"));
    // A row with an annotation and no points: the day after has none of this host.
    String alone = tsuid.substring(0, tsuid.length() - 6);
    client.put(List.of(late("app.a", FROM + DAY + HOUR, 55)));
    String of =
        client.query(QuerySpec.of("app.a", FROM + DAY, FROM + 2 * DAY).tag("host", "h55")).stream()
            .findFirst()
            .orElseThrow()
            .tsuids()
            .get(0);
    assertThat(of).startsWith(alone);
    client.putAnnotation(of, FROM + 8 * HOUR + 30, "alone");
  }

  private static boolean goes(TierStore store, RawCell cell, SortedMap<String, RawCell> before) {
    String row = HexFormat.of().formatHex(cell.row());
    boolean histogram =
        before.subMap(row, row + "g").values().stream()
            .anyMatch(of -> of.qualifier()[0] == 6 && of.qualifier().length % 2 == 1);
    return store.isProven(cell.row(), 0)
        && TierStore.isPoint(cell)
        && before.containsValue(cell)
        && !histogram;
  }

  /** Splits a region with rows of the day. */
  private static void split(TierStore store, SortedMap<String, RawCell> cells) {
    List<RawCell> ofDay =
        cells.values().stream().filter(cell -> store.isProven(cell.row(), 0)).toList();
    try {
      store.hbase().split(store.dataTable(), ofDay.get(ofDay.size() / 3).row());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Buckets were raised from 5 to 20 within each hour: a row may be in two buckets. */
  @Test
  void rowsOfFormerBucketsGoFromAllBuckets() throws Exception {
    RowKey former =
        new RowKey(
            StorageSchema.from(
                TsdConfig.parse("tsd.storage.salt.width=1\ntsd.storage.salt.buckets=5")));
    try (TierStore store = salted("tapply-buckets", List.of(new byte[] {3}), 20)) {
      annotate(store);
      // Of these rows a part with points alone is in another bucket: it stays, too.
      for (int host = 0; host < SERIES; host++) {
        Map<String, String> tags = Map.of("host", "h" + host);
        store.tsd().client().putHistogram("app.a", FROM + 6 * HOUR + 45, Map.of("0,10", 3L), tags);
      }
      store.rollUpAnyBucket(
          cell -> {
            byte[] row = cell.row().clone();
            if (TierStore.isPoint(cell) && Qualifier.offsetMillis(cell.qualifier(), 0) < 900_000) {
              row[0] = (byte) former.salt(row, 0, row.length);
            }
            return row;
          });
      SortedMap<String, RawCell> before = points(store);
      TreeSet<String> rows = new TreeSet<>();
      TreeSet<String> keys = new TreeSet<>();
      TreeSet<String> stay = new TreeSet<>();
      for (RawCell cell : before.values()) {
        if (store.isProven(cell.row(), 0)) {
          String row = HexFormat.of().formatHex(cell.row());
          boolean stays = isOfHistograms(store, cell);
          (stays ? stay : rows).add(row);
          keys.add(row.substring(2));
        }
      }
      assertThat(keys).hasSize((int) ROWS);
      assertThat(stay).as("rows with histograms in all buckets").hasSizeGreaterThan(SERIES);
      assertThat(rows).as("rows in all buckets").hasSizeGreaterThan((int) (ROWS + ROWS / 2));

      JobRun refused = store.proveCommand(0);
      assertThat(refused.exitCode()).as(refused::everything).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(refused.everything()).contains("--any-bucket");
      ApplyReport without = store.apply(0);
      assertThat(without.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(without.message()).contains("must have a proof of app.*, 2025-11-18, found none");
      Proof proof = store.prove(0);
      assertThat(proof.anyBucket()).isTrue();
      store.write(ofOwnBuckets(proof));
      ApplyReport denied = store.apply(0);
      assertThat(denied.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(denied.message())
          .contains("metric UID 000001 must have in the snapshot what the proof")
          .contains("metric UID 000002 must have in the snapshot what the proof");
      assertThat(points(store)).isEqualTo(before);
      assertThat(store.coverage().floors()).isEmpty();

      store.write(proof);
      store.tsd().client().put(List.of(late("app.a", FROM + 7 * HOUR + 1234, 0)));
      SortedMap<String, RawCell> withLate = points(store);
      ApplyReport report = store.apply(0);
      assertThat(report.exitCode()).as(report::message).isEqualTo(ExitCode.DONE);
      assertThat(report.booksClose()).isTrue();
      JsonNode ofDay = last(report);
      assertThat(ofDay.get("match").textValue()).isEqualTo("app.*");
      assertThat(ofDay.at("/rows/planned").longValue()).isEqualTo(rows.size());
      assertThat(ofDay.at("/rows/deleted").longValue()).isEqualTo(rows.size() - 1);
      assertThat(ofDay.at("/rows/keptForNewerCells").longValue()).isEqualTo(1);
      assertThat(ofDay.get("kept").toString()).isEqualTo("{\"histograms\":" + stay.size() + "}");
      SortedMap<String, RawCell> left = new TreeMap<>(withLate);
      left.values().removeIf(cell -> goes(store, cell, before) && !isOfHistograms(store, cell));
      assertThat(left).hasSize((int) (withLate.size() - 2 * (ROWS - SERIES)));
      assertThat(points(store)).isEqualTo(left);
    }
  }

  private static boolean isOfHistograms(TierStore store, RawCell cell) {
    return store.metric(cell.row()).equals("app.a")
        && store.keys.baseTime(cell.row(), 0) == FROM + 6 * HOUR;
  }

  /** The same proof, as if all rows were in the buckets of their series. */
  private static Proof ofOwnBuckets(Proof good) {
    return new Proof(
        good.proof(),
        good.version(),
        good.policy(),
        good.cluster(),
        good.schema(),
        good.aggregatorIds(),
        good.suite(),
        false,
        good.table(),
        good.from(),
        good.to(),
        good.metrics(),
        good.kept(),
        good.data(),
        good.rollups(),
        good.verify(),
        good.series(),
        good.provenAt());
  }

  @Test
  void aLatePointDuringThePauseLowersTheFloor() throws Exception {
    try (TierStore store = new TierStore("tapply-mask", List.of(), 2, 2)) {
      store.rollUp();
      store.write(store.proof(0));
      List<String> before = store.raw();
      // The first day has no rows, and needs no proof.
      ApplyReport stopped =
          store.apply(
              -1,
              1,
              Clock.systemUTC(),
              step -> {
                if (step.equals("LOOK")) {
                  assertThat(floor(store)).isEqualTo(FROM + DAY);
                  mask(store, FROM - DAY + HOUR, "app.b");
                  mask(store, FROM + HOUR, "app.b");
                  mask(store, FROM + HOUR, "app.new");
                }
              });
      assertThat(stopped.exitCode()).as(stopped::message).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(stopped.message())
          .contains("its snapshot must be newer than the masks of the day")
          .contains("of metric app.b")
          .contains("of metric app.new")
          .contains("app.*, 2025-11-17: its snapshot must be newer than the masks of the day")
          .contains(
              "nothing was deleted below it, so the floor of app.*,!app.none.* is again what"
                  + " it was: none");
      assertThat(store.raw()).isEqualTo(before);
      assertThat(floor(store)).isZero();
      assertThat(store.coverage().floors()).isEmpty();

      ApplyReport again = store.apply(0);
      assertThat(again.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(again.message()).contains("must prove the 1h rollups of the day", "app.b");
      assertThat(store.raw()).isEqualTo(before);
      assertThat(floor(store)).isZero();
    }
  }

  /** Killed in the pause, when the floor is raised; then a late point comes. */
  @Test
  void aSecondApplyLowersTheFloorOfOneThatWasKilled() throws Exception {
    try (TierStore store = new TierStore("tapply-lower", List.of(), 2, 3)) {
      store.rollUp();
      for (int day = 0; day < 3; day++) {
        store.write(store.proof(day));
      }
      assertThat(store.apply(0).exitCode()).isEqualTo(ExitCode.DONE);
      List<String> before = store.raw();
      for (String stop : List.of("PAUSE", "LOOK")) {
        stop(store, 1, 2, stop);
        assertThat(floor(store)).isEqualTo(FROM + 2 * DAY);
      }
      // The next day goes while that one waits: the floor is not only that one's any more.
      stop(store, 2, 3, "LOADING");
      assertThat(floor(store)).isEqualTo(FROM + 3 * DAY);
      mask(store, FROM + DAY + HOUR, "app.a");
      ApplyReport refused = store.apply(1);
      assertThat(refused.exitCode()).as(refused::message).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(refused.message()).doesNotContain("the floor of");
      assertThat(floor(store)).isEqualTo(FROM + 3 * DAY);
      mask(store, FROM + 2 * DAY + HOUR, "app.a");
      assertThat(store.apply(2).message())
          .contains("so the floor of app.*,!app.none.* is again what it was: 2025-11-20T00:00:00Z");
      assertThat(floor(store)).isEqualTo(FROM + 2 * DAY);
      assertThat(store.apply(1).message())
          .contains("so the floor of app.*,!app.none.* is again what it was: 2025-11-19T00:00:00Z");
      assertThat(floor(store)).isEqualTo(FROM + DAY);
      assertThat(store.apply(1).message()).doesNotContain("the floor of");
      assertThat(store.raw()).isEqualTo(before);
    }
  }

  /** Of two days one has begun to go. */
  @Test
  void aFloorOverDeletedRowsStays() throws Exception {
    try (TierStore store = new TierStore("tapply-stays", List.of(), 2, 2)) {
      store.rollUp();
      store.write(store.proof(0));
      store.write(store.proof(1));
      int[] loads = {0};
      ApplyReport stopped =
          store.apply(
              0,
              2,
              Clock.systemUTC(),
              step -> {
                if (step.equals("LOADING") && ++loads[0] == 2) {
                  throw new AssertionError("stopped between two days");
                }
              });
      assertThat(stopped.message()).contains("stopped between two days");
      mask(store, FROM + DAY + HOUR, "app.a");
      assertThat(store.apply(1).message())
          .contains("the floor of app.*,!app.none.* stays, because rows below it were deleted");
      assertThat(floor(store)).isEqualTo(FROM + 2 * DAY);
    }
  }

  private static void stop(TierStore store, int fromDay, int toDay, String before) {
    ApplyReport stopped =
        store.apply(
            fromDay,
            toDay,
            Clock.systemUTC(),
            step -> {
              if (step.equals(before)) {
                throw new AssertionError("stopped before " + step);
              }
            });
    assertThat(stopped.message()).contains("stopped before " + before);
  }

  private static long floor(TierStore store) {
    try {
      return store.coverage().floor(CoverageFloor.RAW, "app.a");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void mask(TierStore store, long hour, String metric) {
    try (Table table =
        store.hbase().connection().getTable(TableName.valueOf(store.coverageTable()))) {
      byte[] row = CoverageRows.maskRow(hour, metric).getBytes(UTF_8);
      table.put(
          new Put(row)
              .addColumn(
                  "c".getBytes(UTF_8), "late/000001000001000001".getBytes(UTF_8), new byte[0]));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Stopped before each step, and then done by a second apply. */
  @Test
  void aSecondApplyFinishesWhatWasStoppedAnywhere() throws Exception {
    TreeSet<String> stops = new TreeSet<>();
    List<String> steps = new ArrayList<>();
    int day = 0;
    try (TierStore store =
        new TierStore("tapply-stop", List.of(HexFormat.of().parseHex("000002")), 2, 12)) {
      store.rollUp();
      long whole = store.hbase().cells(store.dataTable()).size();
      for (int i = 0; i < 12; i++) {
        store.write(store.proof(i));
      }
      steps.add("none");
      while (day < steps.size() && day < 12) {
        String stop = steps.get(day);
        List<String> seen = new ArrayList<>();
        ApplyReport stopped =
            store.apply(
                day,
                day + 1,
                Clock.systemUTC(),
                step -> {
                  seen.add(step);
                  if (step.equals(stop)) {
                    throw new AssertionError("stopped before " + step);
                  }
                });
        if (day == 0) {
          assertThat(stopped.exitCode()).as(stopped::message).isEqualTo(ExitCode.DONE);
          steps.addAll(seen);
          assertThat(seen).doesNotHaveDuplicates();
        } else {
          assertThat(stopped.message()).contains("stopped before " + stop);
          stops.add(stop);
        }
        if (stop.equals("LOAD")) {
          // The load has begun, and must end also if the entry keeps the rollups longer since.
          store.keep(TierStore.POLICY.replace("13M", "14M"));
        }
        ApplyReport finished = store.apply(day);
        store.keep(TierStore.POLICY);
        assertThat(finished.exitCode()).as(stop + finished.message()).isEqualTo(ExitCode.DONE);
        assertThat(finished.booksClose()).as(stop).isTrue();
        if (day > 0) {
          JsonNode rows = finished.report().json().at("/days/0/rows");
          assertThat(rows.get("planned").longValue()).as(stop).isEqualTo(2L * 24 * 2);
          assertThat(rows.get("deleted").longValue()).as(stop).isEqualTo(2L * 24 * 2);
        }
        day++;
        assertThat(floor(store)).isEqualTo(FROM + day * DAY);
        assertThat(store.hbase().cells(store.dataTable()).size())
            .as(stop)
            .isEqualTo((int) (whole - day * 2L * 24 * 2 * 2));
      }
      assertThat(stops).hasSize(steps.size() - 1).contains("LOADING", "LOAD", "COUNT", "LOADED");
    }
  }

  @Test
  void whatIsTooOldOrNotDueIsRefused() throws Exception {
    try (TierStore store = new TierStore("tapply-old", List.of(), 2, 2)) {
      store.rollUp();
      store.write(store.proof(1));
      List<String> before = store.raw();
      ApplyReport gap = store.apply(1);
      assertThat(gap.exitCode()).as(gap::message).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(gap.message())
          .contains("the metrics of app.* must have no raw rows before 2025-11-19T00:00:00Z")
          .contains("found some of app.a, app.b, the first of 2025-11-18T00:00:00Z");
      ApplyReport missing = store.apply(0, 2, Clock.systemUTC(), step -> {});
      assertThat(missing.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(missing.message()).contains("must have a proof of app.*, 2025-11-18, found none");
      Clock stale = Clock.offset(Clock.systemUTC(), Duration.ofDays(8));
      store.write(store.proof(0));
      ApplyReport old = store.apply(0, 1, stale, step -> {});
      assertThat(old.exitCode()).as(old::message).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(old.message()).contains("its data snapshot must be at most 7 days old");
      forbid(store);
      ApplyReport forbidden = store.apply(0);
      assertThat(forbidden.exitCode()).as(forbidden::message).isEqualTo(ExitCode.USAGE);
      assertThat(forbidden.message())
          .contains("must not be replicated, found REPLICATION_SCOPE => 1")
          .contains("must not keep deleted cells, found KEEP_DELETED_CELLS => TRUE")
          .contains("must have no TTL below the longest that the policy keeps raw data, 30 d")
          .contains("must have the version 2, found 1: run rollup-job coverage upgrade")
          .contains("rollup_config.json must have all intervals of which table tapply-old-coverage")
          .contains("has windows, found none of 6h");
      assertThat(store.raw()).isEqualTo(before);
      assertThat(store.coverage().floors()).isEmpty();
      assertThat(store.markers()).doesNotExist();
    }
  }

  /** Makes table and coverage such that no proof may be applied. */
  private static void forbid(TierStore store) throws IOException {
    try (Table table =
            store.hbase().connection().getTable(TableName.valueOf(store.coverageTable()));
        Admin admin = store.hbase().connection().getAdmin()) {
      byte[] version = CoverageRows.VERSION_COLUMN.getBytes(UTF_8);
      table.put(
          new Put(CoverageRows.FORMAT_ROW.getBytes(UTF_8))
              .addColumn(new byte[] {'c'}, version, new byte[] {'1'}));
      Put window = new Put(CoverageRows.windowRow("6h", FROM, "another").getBytes(UTF_8));
      Map.of(
              "to", Long.toString(FROM + DAY),
              "table", "tsdb-rollup-6h",
              "asOf", Long.toString((FROM + 9 * DAY) * 1000),
              "metrics", "*",
              "evidence", "by hand")
          .forEach(
              (column, value) ->
                  window.addColumn(
                      new byte[] {'c'}, column.getBytes(UTF_8), value.getBytes(UTF_8)));
      table.put(window);
      TableName data = TableName.valueOf(store.dataTable());
      ColumnFamilyDescriptor family = admin.getDescriptor(data).getColumnFamilies()[0];
      admin.modifyColumnFamily(
          data,
          ColumnFamilyDescriptorBuilder.newBuilder(family)
              .setScope(1)
              .setKeepDeletedCells(KeepDeletedCells.TRUE)
              .setTimeToLive((int) (29 * DAY))
              .build());
    }
  }

  /** A proof of something else, or that says otherwise, one at a time. */
  @Test
  void aForeignOrDifferingProofDeletesNothing() throws Exception {
    try (TierStore store = new TierStore("tapply-foreign", List.of(), 2, 2)) {
      store.rollUp();
      Proof good = store.proof(0);
      List<String> before = store.raw();
      Map<String, Proof> wrong = new TreeMap<>();
      Proof.Source data = good.data();
      String zeros = "0".repeat(64);
      wrong.put(
          "all rollups that were compared, 100, must be equal, found 99", with(good, "equal"));
      wrong.put("the cluster must be ", with(good, "cluster"));
      wrong.put("the schema must be ", with(good, "schema"));
      wrong.put("the number of the aggregator sum must be 0, found 7", with(good, "ids"));
      wrong.put("suite of rollup_config.json must be none, found {}", with(good, "suite"));
      wrong.put("what the entry keeps must be {1d=1825, 1h=390, raw=30}", with(good, "keep"));
      wrong.put("the table of 1h must be tapply-foreign-rollup-1h", with(good, "rollups"));
      wrong.put("it must be about the rollups of 1d, which the entry keeps", with(good, "fewer"));
      wrong.put("must have its snapshot " + data.snapshot() + " of 2020", with(good, "created"));
      wrong.put("is not under ", with(good, "snapshot"));
      wrong.put("manifest=" + zeros, with(good, "manifest"));
      wrong.put("metric UID 000003 must be of a metric of app.*, found web.a", with(good, "uid"));
      wrong.put("metric UID 000099 must be of a metric of app.*", with(good, "unknown"));
      wrong.put("metric UID 000001 must have in the snapshot what the proof", with(good, "rows"));
      wrong.put("it must be made between its snapshot", with(good, "provenAt"));
      wrong.put("the data table must be tapply-foreign-data", with(good, "data"));
      for (Map.Entry<String, Proof> each : wrong.entrySet()) {
        store.write(each.getValue());
        ApplyReport refused = store.apply(0);
        assertThat(refused.exitCode()).as(each.getKey()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(refused.message()).contains(each.getKey());
      }
      store.write(good);
      Path file = only(store.proofs());
      Files.writeString(
          file, Files.readString(file).replace("\"compared\" : 100", "\"compared\" : 101"));
      // Of the entries without rows it asks for none.
      assertThat(store.apply(0).message())
          .contains("must end with sha256 of all before it")
          .doesNotContain("app.none.*, 2025");
      Files.delete(file);
      assertThat(store.apply(0).message()).contains("must have a proof of app.*, 2025-11-18");

      store.write(good);
      // Storage that does not answer says nothing about a proof.
      store.setRoot("hdfs://127.0.0.1:1/hbase");
      ApplyReport silent = store.apply(0);
      assertThat(silent.exitCode()).as(silent::message).isEqualTo(ExitCode.OUTSIDE);
      store.setRoot(store.hbase().rootDir());

      assertThat(store.raw()).isEqualTo(before);
      assertThat(store.coverage().floors()).isEmpty();
      assertThat(store.apply(0).exitCode()).isEqualTo(ExitCode.DONE);
      assertThat(store.raw().size()).isGreaterThan(before.size());

      Path dir = store.markers().resolve("1-" + good.sha256());
      Files.delete(dir.resolve("._loading.crc"));
      Files.writeString(dir.resolve("_loading"), "another-cluster");
      ApplyReport elsewhere = store.apply(0);
      assertThat(elsewhere.exitCode()).as(elsewhere::message).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(elsewhere.message()).contains("the cluster must be the one", "another-cluster");
    }
  }

  private static <V> SortedMap<String, V> and(SortedMap<String, V> map, String key, V value) {
    SortedMap<String, V> all = new TreeMap<>(map);
    all.put(key, value);
    return all;
  }

  /** The same proof with something wrong. */
  private static Proof with(Proof good, String wrong) {
    Proof.Source data = good.data();
    Instant created =
        wrong.equals("created") ? Instant.EPOCH.plusSeconds(1577836800) : data.created();
    Map<String, Proof.Source> rollups = new TreeMap<>(good.rollups());
    if (wrong.equals("fewer")) {
      rollups.remove("1d");
    } else if (wrong.equals("rollups")) {
      rollups.put("1h", rollups.get("1d"));
    }
    SortedMap<String, Proof.Rows> metrics = new TreeMap<>(good.metrics());
    switch (wrong) {
      case "uid" -> metrics.put("000003", new Proof.Rows(1, 0, 1));
      case "unknown" -> metrics.put("000099", new Proof.Rows(1, 0, 1));
      case "rows" -> metrics.put("000001", new Proof.Rows(1, 0, 1));
      default -> {}
    }
    Proof.Selection policy = good.policy();
    return new Proof(
        wrong.equals("suite") ? Proof.FORMAT_OF_SUITE : good.proof(),
        good.version(),
        wrong.equals("keep")
            ? new Proof.Selection(
                policy.entry(),
                policy.match(),
                policy.metrics(),
                and(policy.keepDays(), "raw", 31),
                policy.sha256())
            : policy,
        wrong.equals("cluster") ? "another" : good.cluster(),
        wrong.equals("schema") ? and(good.schema(), "tsd.storage.salt.width", "1") : good.schema(),
        wrong.equals("ids") ? and(good.aggregatorIds(), "sum", 7) : good.aggregatorIds(),
        wrong.equals("suite") ? "{}" : good.suite(),
        good.anyBucket(),
        good.table(),
        good.from(),
        good.to(),
        metrics,
        good.kept(),
        new Proof.Source(
            wrong.equals("data") ? "other" : data.table(),
            wrong.equals("snapshot") ? "none" : data.snapshot(),
            created,
            wrong.equals("manifest") ? "0".repeat(64) : data.manifest()),
        rollups,
        new Proof.Verified(
            good.verify().report(),
            good.verify().compared(),
            good.verify().equal() - (wrong.equals("equal") ? 1 : 0)),
        Proof.Series.NONE,
        wrong.equals("provenAt") ? data.created().minusSeconds(1) : good.provenAt());
  }
}
