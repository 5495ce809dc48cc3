package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.tiers.apply.ApplyReport;
import io.tsdbsuite.rollup.tiers.apply.UndoReport;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@code tiers apply --idle} deletes from all tables, and what undo brings back. */
class TiersIdleApplyIT {
  private static final long FROM = TierStore.FROM;
  private static final long HOUR = TierStore.HOUR;
  private static final long DAY = TierStore.DAY;

  /** More than the policy's time for idle series. */
  private static final long LONG_AGO = Duration.ofDays(370).toMillis();

  private static final String POLICY =
      TierStore.POLICY.replace("\"1d\":\"5y\"", "\"1d\":\"5y\",\"idle\":\"1y\"");
  private static final int MAX_RUNS = 40;

  private static List<String> tables(TierStore store) {
    return List.of(store.rollupTable("1d"), store.rollupTable("1h"), store.dataTable());
  }

  private static Map<String, List<String>> raw(TierStore store) throws IOException {
    Map<String, List<String>> all = new TreeMap<>();
    for (String table : tables(store)) {
      all.put(table, store.raw(table));
    }
    return all;
  }

  private static Map<String, List<RawCell>> cells(TierStore store) throws IOException {
    Map<String, List<RawCell>> all = new TreeMap<>();
    for (String table : tables(store)) {
      all.put(table, store.hbase().cells(table));
    }
    return all;
  }

  /** All series of app.a and app.b but one, which is live. */
  private static boolean isIdle(TierStore store, String live, byte[] row) {
    // A row of no metric is the TSD's own.
    return store.keys.metricUid(row, 0) > 0
        && store.metric(row).startsWith("app.")
        && !HexFormat.of().formatHex(store.keys.tsuid(row, 0, row.length)).equals(live);
  }

  private static ApplyReport apply(TierStore store) {
    return store.applyIdle(Clock.systemUTC(), step -> {});
  }

  /** Runs until one is not stopped: the first is stopped before its first step, and so on. */
  private static <T> T stopped(
      Function<Consumer<String>, T> run, Function<T, String> message, Runnable each) {
    for (int i = 0; i < MAX_RUNS; i++) {
      int[] left = {i};
      T report =
          run.apply(
              step -> {
                if (left[0]-- == 0) {
                  throw new AssertionError("stopped before " + step);
                }
              });
      if (left[0] >= 0) {
        return report;
      }
      assertThat(message.apply(report)).contains("stopped before");
      each.run();
    }
    throw new AssertionError("it does not end");
  }

  @Test
  void idleSeriesGoFromAllTablesAndComeBack() throws Exception {
    try (TierStore store = new TierStore("tidle-apply", List.of(), 2, 2)) {
      store.keep(POLICY);
      String live =
          store
              .tsd()
              .client()
              .query(QuerySpec.of("app.a", FROM, FROM + HOUR).tag("host", "h0"))
              .get(0)
              .tsuids()
              .get(0)
              .toLowerCase(Locale.ROOT);
      store.makeOld(store.dataTable(), LONG_AGO);
      store.rollUp();
      store.makeOld(store.rollupTable("1h"), LONG_AGO);
      store.makeOld(store.rollupTable("1d"), LONG_AGO);
      Proof day = store.proof(0);
      List<Proof> group = store.idle(row -> isIdle(store, live, row));
      refused(store, group);

      // Between proof and apply, in a row that goes.
      store
          .tsd()
          .client()
          .put(
              List.of(new DataPoint("app.a", FROM + DAY + HOUR + 1234, 99L, Map.of("host", "h1"))));
      Map<String, List<RawCell>> before = cells(store);
      JobRun dry = store.idleCommand("--dry-run");
      assertThat(dry.exitCode()).as(dry::everything).isEqualTo(ExitCode.DONE);
      assertThat(dry.out()).contains("raw of 3 series idle since", " of app.*, 144 rows");
      assertThat(cells(store)).isEqualTo(before);

      // Once rows have gone, the proofs are needed no more.
      ApplyReport applied =
          stopped(
              steps -> store.applyIdle(Clock.systemUTC(), steps),
              ApplyReport::message,
              () -> {
                if (anyLoading(store)) {
                  for (Proof proof : group) {
                    boolean unused = store.proofs().resolve(proof.fileName()).toFile().delete();
                  }
                }
              });
      assertThat(applied.exitCode()).as(applied::message).isEqualTo(ExitCode.DONE);
      ApplyReport none = apply(store);
      assertThat(none.exitCode()).as(none::message).isEqualTo(ExitCode.DONE);
      assertThat(none.planned()).isEmpty();
      assertThat(none.report().table().toString()).contains("no proof names any");
      group.forEach(store::write);
      ApplyReport again = apply(store);
      assertThat(again.exitCode()).as(again::message).isEqualTo(ExitCode.DONE);
      JsonNode json = again.report().json();
      assertThat(json.get("days")).hasSize(3);
      json.get("days").forEach(each -> assertThat(each.get("doneBefore").booleanValue()).isTrue());
      assertThat(json.at("/days/0/table").textValue()).isEqualTo("1d");
      assertThat(json.at("/days/2/table").textValue()).isEqualTo("raw");
      assertThat(json.at("/days/2/series").longValue()).isEqualTo(3);
      books(store, group);
      assertThat(cells(store)).isEqualTo(left(store, live, before));
      assertThat(store.coverage().floors()).isEmpty();

      // A day of the live series, of a snapshot that has the others, too.
      store.write(day);
      ApplyReport ofDay = store.apply(0);
      assertThat(ofDay.exitCode()).as(ofDay::message).isEqualTo(ExitCode.DONE);
      JsonNode rows = ofDay.report().json().at("/days/0/rows");
      assertThat(rows.get("deleted").longValue()).isEqualTo(24);
      assertThat(rows.get("alreadyGone").longValue()).isEqualTo(72);

      comesBack(store, live, before, group);
    }
  }

  private static boolean anyLoading(TierStore store) {
    try (var files = Files.walk(store.markers())) {
      return files.anyMatch(file -> file.getFileName().toString().equals("_loading"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The reports of the tables, one of which may have been written by any run. */
  private static void books(TierStore store, List<Proof> group) throws IOException {
    for (Proof proof : group) {
      Path loaded = store.markers().resolve("1-" + proof.sha256()).resolve("_loaded");
      JsonNode rows = new ObjectMapper().readTree(loaded.toFile()).get("rows");
      long planned = rows.get("planned").longValue();
      long newer = proof.table().equals("raw") ? 1 : 0;
      assertThat(planned)
          .isEqualTo(proof.metrics().values().stream().mapToLong(Proof.Rows::rows).sum());
      assertThat(rows.get("keptForNewerCells").longValue()).isEqualTo(newer);
      assertThat(rows.get("deleted").longValue()).isEqualTo(planned - newer);
    }
  }

  /** The live series and web.a, and the point that came after the snapshot. */
  private static Map<String, List<RawCell>> left(
      TierStore store, String live, Map<String, List<RawCell>> before) {
    Map<String, List<RawCell>> left = new TreeMap<>();
    long recent = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
    before.forEach(
        (table, cells) -> {
          List<RawCell> of = new ArrayList<>(cells);
          of.removeIf(cell -> isIdle(store, live, cell.row()) && cell.timestamp() < recent);
          assertThat(of).hasSizeBetween(1, cells.size() - 1);
          left.put(table, of);
        });
    return left;
  }

  /** An incomplete, foreign, stale, damaged or differing group deletes nothing. */
  private static void refused(TierStore store, List<Proof> group) throws Exception {
    Map<String, List<String>> before = raw(store);
    Proof hours = group.get(1);
    Proof data = group.get(2);
    store.write(hours);
    store.write(data);
    ApplyReport incomplete = apply(store);
    assertThat(incomplete.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(incomplete.message())
        .contains("must have a proof of the idle series of app.* for each of 1d, 1h, raw")
        .contains("found those of 1h, raw");
    store.write(group.get(0));
    Map<String, Proof.Source> others = new TreeMap<>(hours.rollups());
    others.put("raw", hours.data());
    store.write(with(hours, hours.metrics(), others));
    assertThat(apply(store).message()).contains("the same series, time and snapshots as");
    store.write(with(hours, new TreeMap<>(Map.of("000001", new Proof.Rows(1, 0, 1))), null));
    assertThat(apply(store).message())
        .contains("metric UID 000001 must have in the snapshot what the proof names");
    store.write(hours);
    ApplyReport stale =
        store.applyIdle(Clock.offset(Clock.systemUTC(), Duration.ofDays(8)), step -> {});
    assertThat(stale.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(stale.message()).contains("at most 7 days old");
    Path file = store.proofs().resolve(data.series().file());
    byte[] series = Files.readAllBytes(file);
    byte[] other = series.clone();
    other[other.length - 1]++;
    Files.write(file, other);
    ApplyReport damaged = apply(store);
    assertThat(damaged.exitCode()).as(damaged::message).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(damaged.message()).contains("must have its series");
    Files.write(file, series);
    assertThat(store.undoIdle(step -> {}).message())
        .contains("--hfile-dir must be that of an apply of idle series");
    assertThat(raw(store)).isEqualTo(before);
  }

  private static Proof with(
      Proof good,
      SortedMap<String, Proof.Rows> metrics,
      @Nullable Map<String, Proof.Source> rollups) {
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
        good.data(),
        rollups == null ? good.rollups() : rollups,
        good.verify(),
        good.series(),
        good.provenAt());
  }

  /** A clock that a test sets forward. */
  private static final class Ahead extends Clock {
    private Duration by = Duration.ZERO;

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.now().plus(by);
    }
  }

  private static void keep(Admin admin, String table, Duration ttl, int minVersions)
      throws IOException {
    TableName name = TableName.valueOf(table);
    admin.modifyColumnFamily(
        name,
        ColumnFamilyDescriptorBuilder.newBuilder(
                admin.getDescriptor(name).getColumnFamily(RowKey.family()))
            .setTimeToLive((int) ttl.toSeconds())
            .setMinVersions(minVersions)
            .build());
  }

  /** Nothing comes back unless all tables can. */
  private static void undoneInPart(TierStore store, Proof data) throws IOException {
    Path directory = store.markers().resolve("1-" + data.sha256());
    Path elsewhere = store.markers().resolve("elsewhere");
    Consumer<String> begun =
        step -> {
          throw new AssertionError("begun: " + step);
        };
    Files.move(directory, elsewhere);
    UndoReport part = store.undoIdle(begun);
    assertThat(part.exitCode()).as(part::message).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(part.message())
        .contains("must have the directories of all tables of which series of app.* have gone")
        .contains("found 1d, 1h");
    Files.move(elsewhere, directory);
    Path series = directory.resolve(data.series().file());
    Files.move(series, elsewhere);
    UndoReport lost = store.undoIdle(begun);
    assertThat(lost.exitCode()).as(lost::message).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(lost.message()).contains(data.series().file());
    Files.move(elsewhere, series);
  }

  /** Cells whose TTL passes before HBase has them: the rest comes back. Stopped in the middle. */
  private static void expires(TierStore store) {
    Ahead clock = new Ahead();
    UndoReport stopped =
        store.undoIdle(
            clock,
            step -> {
              if (step.equals("LOAD")) {
                clock.by = Duration.ofDays(40);
                restored(store)
                    .forEach(
                        file -> {
                          boolean unused = file.toFile().delete();
                        });
              } else if (step.equals("WRITE") && !clock.by.isZero()) {
                throw new AssertionError("stopped in the second table");
              }
            });
    assertThat(stopped.message()).contains("stopped in the second table");
  }

  /** The HFiles of undo. */
  private static List<Path> restored(TierStore store) {
    try (var files = Files.walk(store.markers())) {
      List<Path> found =
          files
              .filter(
                  file ->
                      Files.isRegularFile(file)
                          && store.markers().relativize(file).toString().startsWith("undo-"))
              .toList();
      assertThat(found).isNotEmpty();
      return found;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void comesBack(
      TierStore store, String live, Map<String, List<RawCell>> before, List<Proof> group)
      throws Exception {
    undoneInPart(store, group.get(2));
    Map<String, List<RawCell>> expected = new TreeMap<>(before);
    List<RawCell> data = new ArrayList<>(before.get(store.dataTable()));
    data.removeIf(cell -> store.isProven(cell.row(), 0) && !isIdle(store, live, cell.row()));
    expected.put(store.dataTable(), data);
    try (Admin admin = store.hbase().connection().getAdmin()) {
      admin.compactionSwitch(true, List.of());
      // The cells are 370 days old.
      keep(admin, store.dataTable(), Duration.ofDays(400), 0);
      keep(admin, store.rollupTable("1d"), Duration.ofDays(1), 1);
      expires(store);
      for (Proof proof : group) {
        Files.delete(store.proofs().resolve(proof.fileName()));
      }
      ApplyReport refused = apply(store);
      assertThat(refused.exitCode()).as(refused::message).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(refused.message())
          .contains("no undo of idle series of app.* may have begun")
          .contains("end it with rollup-job tiers undo --idle");
      UndoReport undone = stopped(store::undoIdle, UndoReport::message, () -> {});
      assertThat(undone.exitCode()).as(undone::message).isEqualTo(ExitCode.DONE);
    } finally {
      try (Admin admin = store.hbase().connection().getAdmin()) {
        admin.compactionSwitch(false, List.of());
      }
    }
    assertThat(cells(store)).isEqualTo(expected);
    Coverage coverage = store.coverage();
    assertThat(coverage.floor(CoverageFloor.RAW, "app.a")).isEqualTo(FROM + DAY);
    List<String> masks = new ArrayList<>();
    for (CoverageMask mask : coverage.masks()) {
      masks.add(mask.kind() + " " + mask.metric() + " " + mask.from() + " " + mask.to());
    }
    assertThat(masks).containsExactly("LATE app.a " + (FROM + DAY) + " " + (FROM + 2 * DAY));
    assertThat(store.undoIdle(step -> {}).message()).contains("found none below");
  }
}
