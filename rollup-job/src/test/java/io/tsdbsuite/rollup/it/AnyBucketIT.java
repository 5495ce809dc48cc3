package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
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
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
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

  private static final StorageSchema SCHEMA =
      StorageSchema.from(TsdConfig.parse("tsd.storage.salt.width=1\ntsd.storage.salt.buckets=20"));

  private static Path configFile;
  private static Path rollupConfig;
  private static final String DAYS = "buckets-rollup-1d";

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
        OpenTsdbTables.of(conf(20))
            .rollup(DAYS)
            .splits(List.of(new byte[] {3}, new byte[] {4, 0, 0, 1})));
    TsdServer five = stack.startTsd("buckets-5", conf(5));
    five.client().put(points(0), 3000);
    five.stop();
    hbase.flush("buckets-data");
    TsdServer twenty = stack.startTsd("buckets-20", conf(20));
    configFile = twenty.configFile();
    rollupConfig = TestFiles.rollupConfig(TestFiles.directory("buckets"), "buckets");
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
    RowKey rowKey = new RowKey(SCHEMA);
    byte[] uid = uid("tagv", "imported");
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
    return jobOn(SharedStack.get().hbase().rootDir(), snapshot, more);
  }

  private static JobRun jobOn(String root, String snapshot, String... more) {
    return new JobRun(TestFiles.directory("any-bucket"))
        .json()
        .with(
            "--snapshot-root=" + root,
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

    JobRun others = window("--metrics=!buckets.*", "--allow-empty").run();
    assertThat(others.exitCode()).as("no row that it reads").isEqualTo(ExitCode.DONE);
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

  /** Good rows of other buckets that may be a part of an hour are refused one by one. */
  @Test
  void rowsBesideACorruptBlockOfAnotherBucketAreCounted() throws Exception {
    JobRun first = window("--any-bucket").run();
    assertThat(first.exitCode()).as(first::everything).isEqualTo(ExitCode.DONE);
    Path root = TestFiles.directory("buckets-root");
    Path original = Path.of(URI.create(SharedStack.get().hbase().rootDir()));
    for (String part : List.of(".hbase-snapshot", "data", "archive")) {
      TestFiles.copy(original.resolve(part), root.resolve(part));
    }
    String uri = "file://" + root;
    Snapshot snapshot = new SnapshotLoader(new Configuration(), uri).load("buckets-data-1", "t");
    for (SnapshotRegion region : snapshot.regions()) {
      if (Arrays.equals(region.startKey(), new byte[] {3})) {
        for (SnapshotFile file : new StoreFileResolver(snapshot).resolve(region)) {
          HFileDamage damage = new HFileDamage(Path.of(URI.create(file.path())));
          damage.flip(damage.middle(HFileDamage.DATA_BLOCK) + HFileDamage.BLOCK_HEADER + 20);
        }
      }
    }
    JobRun run =
        jobOn(uri, "buckets-data-1", "--any-bucket", "--interval=1h,1d", "--max-failed-blocks=9")
            .with(SmallData.window(START, END))
            .with("--allow-empty")
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/rows/failed/unreadableBlock").intValue()).isPositive();
    int beside = report.at("/rows/failed/besideUnreadableBlock").intValue();
    assertThat(report.at("/failedSamples/besideUnreadableBlock").get(0).textValue())
        .contains("in another salt bucket", root.toString());
    SortedMap<RollupKey, RollupValues> emitted = run.rollups("1h");
    assertThat(beside + emitted.size()).isEqualTo(rowsOutsideOfBucket(3));
    assertThat(beside).isPositive();
    SortedMap<RollupKey, RollupValues> expected = new TreeMap<>(HOURLY);
    expected.keySet().retainAll(emitted.keySet());
    assertThat(RollupDiff.of(expected, emitted)).isEmpty();

    JobRun late =
        jobOn(
                uri,
                "buckets-data-2",
                "--since-report=" + first.report(),
                "--changed-margin=0s",
                "--max-failed-blocks=9",
                "--allow-empty")
            .with(SmallData.window(END, END + HOUR))
            .run();
    assertThat(late.exitCode()).as(late::everything).isEqualTo(ExitCode.DONE);
    assertThat(late.reportJson().at("/rows/failed/besideUnreadableBlock").intValue())
        .as(late::everything)
        .isEqualTo(1);
    assertThat(late.rollups()).isEmpty();
  }

  /** Rollups that were stored before and after the buckets were raised. */
  @Test
  void verifyComparesTheRollupsOfAllBuckets() throws Exception {
    HBaseServer hbase = SharedStack.get().hbase();
    RollupInterval days = RollupConfig.load(rollupConfig.toString()).interval("1d");
    List<RollupKey> series = List.copyOf(DAILY.keySet());
    for (int i = 0; i < series.size(); i++) {
      byte[] row = dayRow(days, series.get(i));
      if (i == 0) {
        // The day before; its row has the whole year.
        store(days, inBucket(row, row[0] + 1), START - SmallData.DAY, DAILY.get(series.get(i)));
      }
      store(days, i == 1 ? inBucket(row, row[0] + 1) : row, START, DAILY.get(series.get(i)));
    }
    hbase.snapshot(DAYS, DAYS + "-good");
    byte[] twice = dayRow(days, series.get(2));
    store(days, inBucket(twice, twice[0] + 1), START, DAILY.get(series.get(2)));
    store(days, inBucket(dayRow(days, series.get(3)), 25), START, DAILY.get(series.get(3)));
    hbase.snapshot(DAYS, DAYS + "-bad");

    JobRun good = verify(DAYS + "-good", "--any-bucket");
    assertThat(good.exitCode()).as(good::everything).isEqualTo(ExitCode.DONE);
    assertThat(good.reportJson().at("/compared/equal").intValue()).isEqualTo(series.size());

    JobRun bad = verify(DAYS + "-bad", "--any-bucket");
    assertThat(bad.exitCode()).as(bad::everything).isEqualTo(ExitCode.BAD_INPUT);
    JsonNode report = bad.reportJson();
    assertThat(report.at("/compared/equal").intValue()).isEqualTo(series.size() - 1);
    assertThat(report.at("/compared/different").intValue()).isEqualTo(1);
    assertThat(report.at("/stored/malformed").intValue()).isEqualTo(1);
    assertThat(bad.everything()).contains("in two salt buckets");

    JobRun without = verify(DAYS + "-good");
    assertThat(without.exitCode()).as(without::everything).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(without.err()).contains("--any-bucket");
  }

  private static JobRun verify(String rollups, String... more) {
    return new JobRun(TestFiles.directory("any-bucket"))
        .with(
            "verify",
            "--snapshot-root=" + SharedStack.get().hbase().rootDir(),
            "--data-snapshot=buckets-data-1",
            "--uid-snapshot=buckets-uids",
            "--tsd-config=" + configFile,
            "--rollup-config=" + rollupConfig,
            "--interval=1d",
            "--against-snapshot=" + rollups)
        .with(SmallData.window(START, END))
        .with(more)
        .run();
  }

  /** The row of a series' day in the bucket of its key. */
  private static byte[] dayRow(RollupInterval days, RollupKey series) throws Exception {
    return new RowKey(SCHEMA)
        .encode(
            uid("metrics", series.metric()),
            days.baseTime(START),
            Bytes.add(uid("tagk", "host"), uid("tagv", series.tags().get("host"))));
  }

  private static byte[] inBucket(byte[] row, int bucket) {
    byte[] other = row.clone();
    other[0] = (byte) (bucket == 25 ? 25 : bucket % 20);
    return other;
  }

  private static void store(RollupInterval days, byte[] row, long day, RollupValues values)
      throws Exception {
    int offset = RollupCell.offset(days, days.baseTime(day), day);
    double[] numbers = {values.sum(), values.min(), values.max()};
    int[] ids = {0, 3, 4};
    List<RawCell> cells = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      byte[] qualifier = RollupCell.doubleQualifier(ids[i], offset);
      cells.add(new RawCell(row, "t", qualifier, 1, RollupCell.doubleValue(numbers[i])));
    }
    byte[] qualifier = RollupCell.countQualifier(2, offset);
    cells.add(new RawCell(row, "t", qualifier, 1, RollupCell.countValue(values.count())));
    SharedStack.get().hbase().putCells(DAYS, cells);
  }

  private static byte[] uid(String kind, String name) throws Exception {
    return SharedStack.get().hbase().cells("buckets-uid").stream()
        .filter(
            c ->
                c.family().equals("id")
                    && Bytes.toString(c.qualifier()).equals(kind)
                    && Bytes.toString(c.row()).equals(name))
        .findFirst()
        .orElseThrow()
        .value();
  }

  /** The rows of the window that have cells in another bucket, by their keys without salt. */
  private static int rowsOutsideOfBucket(int bucket) throws Exception {
    Set<ByteBuffer> rows = new HashSet<>();
    for (RawCell cell : SharedStack.get().hbase().cells("buckets-data")) {
      byte[] row = cell.row();
      if (row[0] != bucket) {
        rows.add(ByteBuffer.wrap(Arrays.copyOfRange(row, 1, row.length)));
      }
    }
    return rows.size();
  }
}
