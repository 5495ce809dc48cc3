package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tables in a namespace, whose regions split, and a TSD that goes on writing into them. */
class NamespaceIT {
  private static final String TABLE = "history:tsdb";
  private static final long BASE = 1_600_003_200L;
  private static final int HOURS = 20;
  private static final long DAY = 86_400;

  private static Path dir;
  private static TsdServer tsd;

  @BeforeAll
  static void start() {
    dir = WorkDirs.fresh("namespace");
    Map<String, String> conf =
        LoaderStack.conf(
            "namespace",
            "tsd.storage.hbase.data_table",
            TABLE,
            "tsd.storage.hbase.uid_table",
            "history:tsdb-uid",
            "tsd.storage.hbase.meta_table",
            "history:tsdb-meta",
            "tsd.storage.fix_duplicates",
            "false");
    tsd = LoaderStack.tsd("namespace", conf);
  }

  /** Two points an hour: 1 as an integer at the full hour, 2.5 a minute later. */
  private static Path input(String metric) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int hour = 0; hour < HOURS; hour++) {
      long base = BASE + hour * 3600L;
      lines.append(metric).append(' ').append(base).append(" 1 host=a\n");
      lines.append(metric).append(' ').append(base + 60).append(" 2.5 host=a\n");
    }
    return Files.writeString(dir.resolve(metric + ".txt"), lines);
  }

  private static Loader.Outcome run(
      Clock clock, String command, Path input, String work, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                command,
                "--tsd-config=" + tsd.configFile(),
                "--work-dir=" + dir.resolve(work),
                "--progress=none"));
    arguments.addAll(List.of(more));
    arguments.add("--input");
    arguments.add(input.toString());
    return Loader.run(clock, arguments.toArray(String[]::new));
  }

  private static Loader.Outcome run(String command, Path input, String work, String... more) {
    return run(Clock.systemUTC(), command, input, work, more);
  }

  private static SortedMap<Long, Double> ask(String metric) {
    return Answers.of(tsd, QuerySpec.of(metric, BASE, BASE + HOURS * 3600L))
        .values()
        .iterator()
        .next();
  }

  private static JsonNode report(String work) throws IOException {
    return new ObjectMapper().readTree(dir.resolve(work).resolve("report.json").toFile());
  }

  private static String[] hfiles(String work) {
    return new String[] {
      "--mode=hfile", "--hfile-dir=" + LoaderStack.hfileDir(dir.resolve(work)), "--meta"
    };
  }

  @Test
  void putsAndHFilesAlsoAfterASplit() throws IOException {
    Path puts = input("ns.put");
    Loader.Outcome put = run("load", puts, "put", "--meta");
    assertThat(put.code()).as(put.err()).isEqualTo(ExitCode.DONE);
    assertThat(run("verify", puts, "verify-put").code()).isEqualTo(ExitCode.DONE);
    assertThat(ask("ns.put")).hasSize(2 * HOURS);

    List<RawCell> cells = LoaderStack.hbase().cells(TABLE);
    LoaderStack.hbase().split(TABLE, cells.get(cells.size() / 2).row());
    Path files = input("ns.hfile");
    Loader.Outcome loaded = run("load", files, "hfile", hfiles("hfile"));
    assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);
    assertThat(run("verify", files, "verify-hfile").code()).isEqualTo(ExitCode.DONE);
    assertThat(run("verify", puts, "verify-split").code()).isEqualTo(ExitCode.DONE);
    assertThat(ask("ns.hfile")).hasSize(2 * HOURS);
    Loader.Outcome again = run("load", puts, "again");
    assertThat(again.code()).as(again.err()).isEqualTo(ExitCode.DONE);
    assertThat(report("again").path("counts").path("alreadyStored").asInt()).isEqualTo(2 * HOURS);
  }

  @Test
  void whatATsdWritesWhileHFilesAreMadeIsMerged() throws IOException {
    Path input = input("ns.late");
    StepClock clock =
        new StepClock(
            dir.resolve("late"),
            "RowsAcknowledged",
            0,
            () ->
                tsd.client()
                    .put(
                        List.of(
                            new DataPoint("ns.late", BASE, 1L, Map.of("host", "a")),
                            new DataPoint("ns.late", BASE + 30, 9L, Map.of("host", "a")))));
    Loader.Outcome loaded = run(clock, "load", input, "late", hfiles("late"));
    assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);
    assertThat(clock.isDone()).isTrue();
    JsonNode counts = report("late").path("counts");
    assertThat(counts.path("alreadyStored").asInt()).isEqualTo(1);
    assertThat(counts.path("pointsWritten").asInt()).isEqualTo(2 * HOURS - 1);
    assertThat(report("late").path("warnings").toString())
        .contains("other writers have written points");
    assertThat(ask("ns.late")).hasSize(2 * HOURS + 1).containsEntry((BASE + 30) * 1000, 9.0);
    assertThat(run("verify", input, "verify-late").code()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void anotherValueThatATsdWritesMeanwhileIsAConflict() throws IOException {
    Path input = input("ns.conflict");
    StepClock clock =
        new StepClock(
            dir.resolve("conflict"),
            "RowsAcknowledged",
            0,
            () ->
                tsd.client()
                    .put(List.of(new DataPoint("ns.conflict", BASE, 7L, Map.of("host", "a")))));
    Loader.Outcome refused = run(clock, "load", input, "conflict", hfiles("conflict"));
    assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(refused.err())
        .contains("one instant must have one value")
        .contains("7 (integer) in the table and 1 (integer) in the input");
    assertThat(ask("ns.conflict")).containsExactly(Map.entry(BASE * 1000, 7.0));

    Loader.Outcome first =
        Loader.run(
            "resume",
            "--work-dir=" + dir.resolve("conflict"),
            "--on-conflict=first",
            "--progress=none");
    assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.DONE);
    assertThat(ask("ns.conflict")).hasSize(2 * HOURS).containsEntry(BASE * 1000, 7.0);
  }

  /**
   * Rollups of all metrics are proven. A load masks the days of its metric, and no others, before
   * it writes and after it.
   */
  @Test
  void theDaysOfALoadAreMasked() throws Exception {
    Connection connection = LoaderStack.hbase().connection();
    LoaderStack.createTable("ns-coverage", "c");
    LoaderStack.createTable("ns-rollup", "t");
    long from = BASE / DAY * DAY;
    long to = from + 3 * DAY;
    long now = System.currentTimeMillis();
    try (CoverageTable coverage = new CoverageTable(connection, "ns-coverage")) {
      coverage.add(
          List.of(CoverageWindow.of("1h", from, to, "w", "ns-rollup", now, "*", "a test")),
          Map.of("ns-rollup", coverage.mark("ns-rollup")),
          now);
    }
    assertThat(proven(connection, "ns.masked")).isEqualTo(proven(connection, "other"));

    String option = "--coverage-table=ns-coverage";
    Path puts = input("ns.masked");
    Loader.Outcome missing = run("load", puts, "none", "--coverage-table=ns-none");
    assertThat(missing.code()).isEqualTo(ExitCode.USAGE);
    assertThat(missing.err()).contains("table ns-none must exist, found none");
    assertThat(run("load", puts, "dry", "--dry-run", option).out())
        .contains("the days of the load are masked in table ns-coverage");
    Loader.Outcome put = run("load", puts, "masked", option);
    assertThat(put.code()).as(put.err()).isEqualTo(ExitCode.DONE);
    assertThat(report("masked").path("warnings").toString())
        .contains("raw data of 1 metrics for the days of this load", "in table ns-coverage");
    Path files = input("ns.maskedToo");
    List<String> more = new ArrayList<>(List.of(hfiles("masked-too")));
    more.add(option);
    Loader.Outcome loaded = run("load", files, "masked-too", more.toArray(String[]::new));
    assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);

    assertThat(proven(connection, "other")).isEqualTo(TimeRanges.of(from * 1000, to * 1000));
    for (String metric : List.of("ns.masked", "ns.maskedToo")) {
      assertThat(proven(connection, metric))
          .isEqualTo(TimeRanges.of((from + 2 * DAY) * 1000, to * 1000));
      assertMaskedBeforeAndAfter(connection, metric);
    }

    StepClock clock =
        new StepClock(
            dir.resolve("failed"),
            "RowsAcknowledged",
            0,
            () -> {
              throw new IllegalStateException("of the test");
            });
    Loader.Outcome failed = run(clock, "load", input("ns.failed"), "failed", option);
    assertThat(failed.code()).as(failed.err()).isEqualTo(ExitCode.DEFECT);
    assertMaskedBeforeAndAfter(connection, "ns.failed");
  }

  /** Where raw data may be gone no query would read them; nothing is written. */
  @Test
  void pointsBelowAFloorAreRefused() throws Exception {
    Connection connection = LoaderStack.hbase().connection();
    LoaderStack.createTable("ns-floors", "c");
    long before = (BASE / DAY + 1) * DAY;
    CoverageFloor floor =
        new CoverageFloor("raw", "w", before, "ns.floor*", "a proof", before * 1000);
    String option = "--coverage-table=ns-floors";
    Path input = input("ns.floor");
    StepClock clock =
        new StepClock(
            dir.resolve("floor-stopped"),
            "RunSpilled",
            0,
            () -> {
              throw new IllegalStateException("of the test");
            });
    Loader.Outcome failed = run(clock, "load", input, "floor-stopped", option);
    assertThat(failed.code()).as(failed.err()).isEqualTo(ExitCode.DEFECT);
    try (CoverageTable coverage = new CoverageTable(connection, "ns-floors")) {
      coverage.upgrade();
      coverage.raise(floor, System.currentTimeMillis());
    }
    int cells = LoaderStack.hbase().cells(TABLE).size();
    int points = (int) (before - BASE + 3599) / 3600 * 2;
    String[] message = {
      "points of metric ns.floor must not be before " + Instant.ofEpochSecond(before),
      "found " + points + " from the hour " + Instant.ofEpochSecond(BASE / 3600 * 3600) + " on"
    };
    List<String> files = new ArrayList<>(List.of(hfiles("floor-files")));
    files.add(option);
    for (Loader.Outcome refused :
        List.of(
            Loader.run("plan", "--tsd-config=" + tsd.configFile(), option, "--input", "" + input),
            run("load", input, "floor-dry", option, "--dry-run"),
            run("load", input, "floor", option),
            run("load", input, "floor-files", files.toArray(String[]::new)),
            Loader.run(
                "resume", "--work-dir=" + dir.resolve("floor-stopped"), "--progress=none"))) {
      assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.USAGE);
      assertThat(refused.err()).contains(message);
    }
    for (String more : List.of("--dry-run", "--keep-work")) {
      Loader.Outcome generated =
          Loader.run(
              "generate",
              "--tsd-config=" + tsd.configFile(),
              "--work-dir=" + dir.resolve("floor-generate" + more),
              "--progress=none",
              "--metric=ns.floor.generated",
              "--start=" + Instant.ofEpochSecond(before - 90),
              "--span=5m",
              "--every=1m",
              "--sensors=3",
              option,
              more);
      assertThat(generated.code()).as(generated.err()).isEqualTo(ExitCode.USAGE);
      assertThat(generated.err()).contains("metric ns.floor.generated must not", "found 6 from");
    }
    assertThat(LoaderStack.hbase().cells(TABLE)).hasSize(cells);
    try (CoverageTable coverage = new CoverageTable(connection, "ns-floors")) {
      assertThat(coverage.maskRows()).isZero();
      Loader.Outcome other = run("load", input("ns.other"), "floor-other", option);
      assertThat(other.code()).as(other.err()).isEqualTo(ExitCode.DONE);
      coverage.lower(floor, null);
    }
    Loader.Outcome loaded = run("load", input, "floor-lowered", option);
    assertThat(loaded.code()).as(loaded.err()).isEqualTo(ExitCode.DONE);
    assertThat(ask("ns.floor")).hasSize(2 * HOURS);
  }

  /** Its cells are older than the markers that delete rows, which would hide them. */
  @Test
  void aFloorThatRisesWhileHFilesAreWrittenCounts() throws Exception {
    LoaderStack.createTable("ns-rising", "c");
    long before = (BASE / DAY + 1) * DAY;
    try (CoverageTable coverage =
        new CoverageTable(LoaderStack.hbase().connection(), "ns-rising")) {
      coverage.upgrade();
      StepClock clock =
          new StepClock(
              dir.resolve("rising"),
              "RowsAcknowledged",
              0,
              () -> {
                try {
                  coverage.raise(
                      new CoverageFloor("raw", "w", before, "ns.*", "a proof", before * 1000),
                      System.currentTimeMillis());
                } catch (IOException | CoverageRefusedException e) {
                  throw new IllegalStateException(e);
                }
              });
      List<String> options = new ArrayList<>(List.of(hfiles("rising")));
      options.add("--coverage-table=ns-rising");
      int cells = LoaderStack.hbase().cells(TABLE).size();
      Loader.Outcome refused =
          run(clock, "load", input("ns.rising"), "rising", options.toArray(String[]::new));
      assertThat(clock.isDone()).isTrue();
      assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.USAGE);
      assertThat(refused.err()).contains("points of metric ns.rising must not be before");
      assertThat(LoaderStack.hbase().cells(TABLE)).hasSize(cells);
      assertThat(coverage.maskRows()).as("who raises a floor finds them").isPositive();
    }
  }

  @Test
  void theDefaultTableHasFloorsToo() throws Exception {
    LoaderStack.createTable(CoverageRows.DEFAULT_TABLE, "c");
    try (CoverageTable coverage =
        new CoverageTable(LoaderStack.hbase().connection(), CoverageRows.DEFAULT_TABLE)) {
      coverage.upgrade();
      coverage.raise(
          new CoverageFloor(
              "raw", "w", BASE / DAY * DAY + DAY, "ns.default", "a proof", BASE * 2000),
          System.currentTimeMillis());
      Loader.Outcome refused = run("load", input("ns.default"), "default");
      assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.USAGE);
      assertThat(refused.err()).contains("points of metric ns.default must not be before");
      try (Table table =
          LoaderStack.hbase()
              .connection()
              .getTable(TableName.valueOf(CoverageRows.DEFAULT_TABLE))) {
        table.put(
            new Put(Bytes.toBytes("floor/raw/broken"))
                .addColumn(Bytes.toBytes("c"), Bytes.toBytes("before"), Bytes.toBytes("soon")));
      }
      Loader.Outcome unknown = run("load", input("ns.elsewhere"), "broken");
      assertThat(unknown.code()).as(unknown.err()).isEqualTo(ExitCode.USAGE);
      assertThat(unknown.err()).contains("the floors of table", "must be readable, found: ");
    } finally {
      try (Admin admin = LoaderStack.hbase().connection().getAdmin()) {
        admin.disableTable(TableName.valueOf(CoverageRows.DEFAULT_TABLE));
        admin.deleteTable(TableName.valueOf(CoverageRows.DEFAULT_TABLE));
      }
    }
  }

  private static void assertMaskedBeforeAndAfter(Connection connection, String metric)
      throws IOException {
    Get mask =
        new Get(Bytes.toBytes(CoverageRows.maskRow(BASE / DAY * DAY, metric))).readAllVersions();
    try (Table table = connection.getTable(TableName.valueOf("ns-coverage"))) {
      assertThat(table.get(mask).size()).as("masks of " + metric).isGreaterThanOrEqualTo(2);
    }
  }

  private static TimeRanges proven(Connection connection, String metric) throws IOException {
    try (CoverageTable coverage = new CoverageTable(connection, "ns-coverage")) {
      return coverage
          .read(Map.of("1h", "ns-rollup"), System.currentTimeMillis())
          .proven("1h", 3_600_000, metric);
    }
  }
}
