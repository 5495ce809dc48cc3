package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Points that are written late into 3 of 10,000 old rows, another of which is deleted: these are
 * found, rolled up again, and nothing else is. A border between regions cuts a day.
 */
class LateDataIT {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long START = SmallData.START;
  private static final int HOURS = 100;
  private static final int SERIES = 100;

  /** The first run ends here, the second one begins. */
  private static final long NOW = START + HOURS * HOUR;

  private static final String METRIC = "late.m";
  private static final RollupKey FIRST = key(7, START + 5 * HOUR);
  private static final RollupKey SECOND = key(20, START + 37 * HOUR);
  private static final RollupKey THIRD = key(21, START + 38 * HOUR);
  private static final RollupKey DELETED = key(50, START + 60 * HOUR);

  private static final Map<String, SortedMap<RollupKey, RollupValues>> ANSWERS = new HashMap<>();
  private static Path configFile;
  private static Path rollupConfig;
  private static Path firstReport;
  private static String deletedRow;

  private static RollupKey key(int host, long time) {
    return new RollupKey(METRIC, new TreeMap<>(tags(host)), time);
  }

  private static Map<String, String> tags(int host) {
    return Map.of("host", String.format(Locale.ROOT, "h%02d", host));
  }

  @BeforeAll
  static void makeData() throws Exception {
    Stack stack = SharedStack.get();
    HBaseServer hbase = stack.hbase();
    Map<String, String> conf = CorrectnessIT.conf("late");
    byte[] cut = HexFormat.of().parseHex(String.format("000001%08x", START + 36 * HOUR));
    stack.create(OpenTsdbTables.of(conf).splits(List.of(cut)));
    TsdServer tsd = stack.startTsd("late", conf);
    configFile = tsd.configFile();
    rollupConfig = TestFiles.rollupConfig(TestFiles.directory("late"));
    List<DataPoint> points = new ArrayList<>();
    for (long time = START; time < NOW; time += HOUR) {
      for (int host = 0; host < SERIES; host++) {
        points.add(new DataPoint(METRIC, time + host, host + 0.5, tags(host)));
      }
    }
    tsd.client().put(points, 5000);
    hbase.snapshot("late-data", "late-data-1");
    hbase.snapshot("late-uid", "late-uids");
    JobRun first = run("late-data-1", "--from=" + (NOW - 4 * HOUR), "--to=" + NOW);
    assertThat(first.exitCode()).as(first::everything).isEqualTo(ExitCode.DONE);
    firstReport = first.report();

    points.clear();
    for (RollupKey late : List.of(FIRST, SECOND, THIRD)) {
      points.add(new DataPoint(METRIC, late.timestamp() + 3000, 1000L, late.tags()));
    }
    for (int host = 0; host < SERIES; host++) {
      points.add(new DataPoint(METRIC, NOW + host, (long) host, tags(host)));
    }
    tsd.client().put(points, 5000);
    delete(hbase, tsd);
    hbase.snapshot("late-data", "late-data-2");
    TsdOracle oracle = new TsdOracle(tsd.client());
    long end = (NOW / DAY + 1) * DAY;
    for (String interval : List.of("1h", "1d")) {
      ANSWERS.put(interval, oracle.rollups(METRIC, START, end, interval));
    }
    tsd.stop();
    expireAfterADay(hbase);
    hbase.snapshot("late-data", "late-data-3");
  }

  /** The cells are of today; by their times all points are older. */
  private static void expireAfterADay(HBaseServer hbase) throws Exception {
    try (Admin admin = hbase.connection().getAdmin()) {
      TableDescriptor table = admin.getDescriptor(TableName.valueOf("late-data"));
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(table)
              .modifyColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(table.getColumnFamilies()[0])
                      .setTimeToLive((int) DAY)
                      .build())
              .build());
    }
  }

  private static void delete(HBaseServer hbase, TsdServer tsd) throws Exception {
    String tsuid =
        tsd.client()
            .query(
                QuerySpec.of(METRIC, DELETED.timestamp(), NOW)
                    .tag("host", DELETED.tags().get("host")))
            .get(0)
            .tsuids()
            .get(0);
    byte[] series = HexFormat.of().parseHex(tsuid);
    byte[] pairs = new byte[series.length - 3];
    System.arraycopy(series, 3, pairs, 0, pairs.length);
    byte[] row =
        new RowKey(StorageSchema.defaults())
            .encode(new byte[] {series[0], series[1], series[2]}, DELETED.timestamp(), pairs);
    hbase.deleteRow("late-data", row);
    deletedRow = HexFormat.of().withUpperCase().formatHex(row);
  }

  private static JobRun run(String snapshot, String... more) {
    return new JobRun(TestFiles.directory("late"))
        .json()
        .with(
            "--snapshot-root=" + SharedStack.get().hbase().rootDir(),
            "--data-snapshot=" + snapshot,
            "--uid-snapshot=late-uids",
            "--tsd-config=" + configFile,
            "--rollup-config=" + rollupConfig)
        .with(more)
        .run();
  }

  private static SortedMap<RollupKey, RollupValues> answers(
      String interval, Predicate<RollupKey> wanted) {
    SortedMap<RollupKey, RollupValues> some = new TreeMap<>(ANSWERS.get(interval));
    some.keySet().removeIf(wanted.negate());
    return some;
  }

  @Test
  void exactlyTheseHours() throws Exception {
    JobRun run =
        run(
            "late-data-2",
            "--from=" + NOW,
            "--to=" + (NOW + HOUR),
            "--since-report=" + firstReport,
            "--changed-margin=0s");
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    Set<RollupKey> late = Set.of(FIRST, SECOND, THIRD);
    assertThat(
            RollupDiff.of(
                answers("1h", key -> key.timestamp() >= NOW || late.contains(key)), run.rollups()))
        .isEmpty();
    assertThat(run.rollups().get(FIRST).count()).isEqualTo(2);
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/rows/emitted").intValue()).isEqualTo(SERIES + 3);
    assertThat(report.at("/input/changedRows").asText()).isEqualTo("4");
    // One old file and one new file in each region.
    assertThat(report.at("/input/filesOlder").asText()).isEqualTo("2");
    assertThat(report.at("/input/filesSearched").asText()).isEqualTo("2");
    assertThat(report.at("/rows/vanished").intValue()).isEqualTo(1);
    assertThat(report.at("/vanishedRows/0").asText()).isEqualTo("row " + deletedRow);
    assertThat(report.get("warnings").toString()).contains("1 rows before the window");
  }

  @Test
  void theWholeDaysOfTheseSeries() throws Exception {
    long day = START + 4 * DAY;
    JobRun run =
        run(
            "late-data-2",
            "--to=" + day,
            "--changed-since=" + dataSnapshotTime(),
            "--interval=1h,1d",
            "--partition-size=0.1");
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    Set<RollupKey> days = new HashSet<>();
    for (RollupKey late : List.of(FIRST, SECOND, THIRD, DELETED)) {
      days.add(new RollupKey(METRIC, late.tags(), late.timestamp() / DAY * DAY));
    }
    assertThat(RollupDiff.of(answers("1d", days::contains), run.rollups("1d"))).isEmpty();
    assertThat(
            RollupDiff.of(
                answers(
                    "1h",
                    key ->
                        days.contains(
                            new RollupKey(METRIC, key.tags(), key.timestamp() / DAY * DAY))),
                run.rollups("1h")))
        .isEmpty();
    JsonNode report = run.reportJson();
    assertThat(report.at("/rows/emitted").intValue()).isEqualTo(4 * 24 - 1);
    assertThat(report.at("/days/emitted").intValue()).isEqualTo(4);
    assertThat(report.at("/rows/vanished").intValue()).isEqualTo(1);
    assertThat(report.get("booksClose").booleanValue()).isTrue();
  }

  @Test
  void whatMayHaveExpiredStaysAsItIs() throws Exception {
    JobRun run = run("late-data-3", "--to=" + NOW, "--changed-since=" + dataSnapshotTime());
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    assertThat(report.at("/input/changedRows").asText()).isEqualTo("0");
    assertThat(report.at("/input/changedRowsExpired").asText()).isEqualTo("4");
    assertThat(report.at("/rows/read").intValue()).isZero();
    assertThat(report.get("warnings").toString())
        .contains("4 rows have changed that begin before", "the table's TTL");
  }

  private static String dataSnapshotTime() throws Exception {
    return new ObjectMapper().readTree(firstReport.toFile()).at("/input/dataSnapshotTime").asText();
  }

  @Test
  void limitsAndWrongUse() {
    JobRun many =
        run("late-data-2", "--to=" + NOW, "--changed-since=2025-01-01", "--max-changed-rows=9999");
    assertThat(many.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(many.err()).contains("more than 9999 rows before the window have changed");
    JobRun future = run("late-data-2", "--to=" + NOW, "--changed-since=2100-01-01");
    assertThat(future.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(future.err()).contains("must be before the snapshot was taken");
    JobRun other =
        new JobRun(TestFiles.directory("late"))
            .json()
            .with(SmallData.get().input(SharedStack.get().hbase().rootDir()))
            .with(SmallData.window(SmallData.FROM, SmallData.TO))
            .with("--since-report=" + firstReport)
            .run();
    assertThat(other.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(other.err()).contains("it read late-data", "is of small-data");
  }
}
