package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A table whose buckets were raised from 5 to 20 within every hour, with the rows of one series in
 * bucket 0, as OpenTSDB 2.2 imported them. A late point comes between two snapshots.
 */
class AnyBucketIT {
  private static final long HOUR = 3600;
  private static final long START = SmallData.START;
  private static final long END = START + SmallData.DAY;
  private static final int SERIES = 13;
  private static final int HOURS = 24;
  private static final int POINTS = 6;
  private static final String METRIC = "buckets.m";
  private static final String LATE_HOST = "h3";
  private static final long LATE_HOUR = START + 5 * HOUR;

  private static Path configFile;
  private static Path rollupConfig;

  /** Points by series; the sum of each is that of its host's number. */
  private static final SortedMap<RollupKey, RollupValues> HOURLY = new TreeMap<>();

  private static final SortedMap<RollupKey, RollupValues> DAILY = new TreeMap<>();

  private static Map<String, String> conf(int buckets) {
    return CorrectnessIT.conf(
        "buckets",
        "tsd.storage.salt.width",
        "1",
        "tsd.storage.salt.buckets",
        Integer.toString(buckets));
  }

  @BeforeAll
  static void makeData() throws Exception {
    Stack stack = SharedStack.get();
    HBaseServer hbase = stack.hbase();
    stack.create(
        OpenTsdbTables.of(conf(20)).splits(List.of(new byte[] {3}, new byte[] {4, 0, 0, 1})));
    TsdServer five = stack.startTsd("buckets-5", conf(5));
    five.client().put(points(0), 3000);
    five.stop();
    hbase.flush("buckets-data");
    TsdServer twenty = stack.startTsd("buckets-20", conf(20));
    configFile = twenty.configFile();
    rollupConfig = TestFiles.rollupConfig(TestFiles.directory("buckets"));
    twenty.client().put(points(1), 3000);
    importIntoBucketZero(hbase, twenty);
    hbase.snapshot("buckets-data", "buckets-data-1");
    hbase.snapshot("buckets-uid", "buckets-uids");
    twenty
        .client()
        .put(List.of(new DataPoint(METRIC, LATE_HOUR + 3500, 100L, Map.of("host", LATE_HOST))));
    hbase.snapshot("buckets-data", "buckets-data-2");
    twenty.stop();
  }

  /** Every second point of each hour. */
  private static List<DataPoint> points(int odd) {
    List<DataPoint> points = new ArrayList<>();
    for (int host = 0; host < SERIES; host++) {
      Map<String, String> tags = Map.of("host", "h" + host);
      for (long hour = START; hour < END; hour += HOUR) {
        for (int i = odd; i < POINTS; i += 2) {
          points.add(new DataPoint(METRIC, hour + i * 500L, (long) host + i, tags));
        }
        double sum = POINTS * host + 15;
        HOURLY.put(
            new RollupKey(METRIC, new TreeMap<>(tags), hour),
            new RollupValues(sum, host, host + 5, POINTS));
        DAILY.put(
            new RollupKey(METRIC, new TreeMap<>(tags), START),
            new RollupValues(HOURS * sum, host, host + 5, HOURS * POINTS));
      }
    }
    return points;
  }

  /** A series whose rows are all in bucket 0. */
  private static void importIntoBucketZero(HBaseServer hbase, TsdServer tsd) throws Exception {
    tsd.client().put(List.of(new DataPoint(METRIC, START + 10, 7L, Map.of("host", "imported"))));
    RowKey rowKey =
        new RowKey(
            StorageSchema.from(
                TsdConfig.parse("tsd.storage.salt.width=1\ntsd.storage.salt.buckets=20")));
    byte[] uid =
        hbase.cells("buckets-uid").stream()
            .filter(c -> c.family().equals("id") && Bytes.toString(c.row()).equals("imported"))
            .findFirst()
            .orElseThrow()
            .value();
    for (RawCell cell : hbase.cells("buckets-data")) {
      int end = cell.row().length;
      if (Arrays.equals(cell.row(), end - 3, end, uid, 0, 3)) {
        assertThat(rowKey.salt(cell.row(), 0, end)).isNotZero();
        byte[] row = cell.row().clone();
        row[0] = 0;
        hbase.putCells(
            "buckets-data",
            List.of(new RawCell(row, "t", cell.qualifier(), cell.timestamp(), cell.value())));
        hbase.deleteRow("buckets-data", cell.row());
      }
    }
    SortedMap<String, String> tags = new TreeMap<>(Map.of("host", "imported"));
    RollupValues value = new RollupValues(7, 7, 7, 1);
    HOURLY.put(new RollupKey(METRIC, tags, START), value);
    DAILY.put(new RollupKey(METRIC, tags, START), value);
  }

  private static JobRun job(String snapshot, String... more) {
    return new JobRun(TestFiles.directory("any-bucket"))
        .json()
        .with(
            "--snapshot-root=" + SharedStack.get().hbase().rootDir(),
            "--data-snapshot=" + snapshot,
            "--uid-snapshot=buckets-uids",
            "--tsd-config=" + configFile,
            "--rollup-config=" + rollupConfig,
            "--allow-incomplete")
        .with(more);
  }

  private static JobRun window(String... more) {
    return job("buckets-data-1", more).with(SmallData.window(START, END));
  }

  @Test
  void aRunDoesNotTakeAPartForTheWhole() throws Exception {
    JobRun run = window("--max-failed-rows=1000000").run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).contains("in another salt bucket", "--any-bucket");
    assertThat(run.output()).as("found before anything is emitted").doesNotExist();
  }

  @Test
  void mergesTheBuckets() throws Exception {
    for (String reader : List.of("auto", "merge")) {
      JobRun run =
          window("--any-bucket", "--interval=1h,1d", "--partition-size=0.001").reader(reader).run();
      assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
      assertThat(RollupDiff.of(HOURLY, run.rollups("1h"))).isEmpty();
      assertThat(RollupDiff.of(DAILY, run.rollups("1d"))).isEmpty();
      assertThat(run.reportJson().get("booksClose").booleanValue()).isTrue();
    }
  }

  @Test
  void aLateHourIsReadFromAllBuckets() throws Exception {
    JobRun first = window("--any-bucket").run();
    assertThat(first.exitCode()).as(first::everything).isEqualTo(ExitCode.DONE);
    String[] next = SmallData.window(END, END + HOUR);
    JobRun late =
        job("buckets-data-2", "--since-report=" + first.report(), "--changed-margin=0s")
            .with(next)
            .run();
    assertThat(late.exitCode()).as(late::everything).isEqualTo(ExitCode.DONE);
    RollupKey hour = new RollupKey(METRIC, new TreeMap<>(Map.of("host", LATE_HOST)), LATE_HOUR);
    RollupValues before = HOURLY.get(hour);
    assertThat(late.rollups())
        .containsEntry(
            hour, new RollupValues(before.sum() + 100, before.min(), 100, before.count() + 1));

    JobRun otherBuckets =
        job("buckets-data-2", "--since-report=" + first.report())
            .with(next)
            .with("--tsd.storage.salt.buckets=21")
            .run();
    assertThat(otherBuckets.exitCode()).as(otherBuckets::everything).isEqualTo(ExitCode.USAGE);
    assertThat(otherBuckets.err()).contains("--tsd.storage.salt.buckets '21', found '20'");
  }
}
