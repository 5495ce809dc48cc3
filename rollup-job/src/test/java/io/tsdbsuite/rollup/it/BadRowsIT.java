package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that no TSD could read: each is counted by its reason, the others are emitted. */
class BadRowsIT {
  private static final String TABLE = "bad-data";
  private static final String UID_TABLE = "bad-uid";
  private static final String DATA_SNAPSHOT = "bad-data-snapshot";
  private static final String UID_SNAPSHOT = "bad-uid-snapshot";
  private static final String NAMELESS = "h7";

  private static SmallData data;
  private static String root;

  /** The TSD's answers without those of the bad rows. */
  private static NavigableMap<RollupKey, RollupValues> expected;

  private static final String FOREIGN = "h9";
  private static int nameless;
  private static int foreign;
  private static int unnamed;

  @BeforeAll
  static void makeBadRows() throws IOException {
    data = SmallData.get();
    HBaseServer hbase = SharedStack.get().hbase();
    root = hbase.rootDir();
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.cloneSnapshot(SmallData.DATA_SNAPSHOT, TableName.valueOf(TABLE));
      admin.cloneSnapshot(SmallData.UID_SNAPSHOT, TableName.valueOf(UID_TABLE));
    }
    expected = new TreeMap<>(data.answers(SmallData.FROM, SmallData.TO));
    int before = expected.size();
    expected.keySet().removeIf(key -> key.tags().get("host").equals(NAMELESS));
    nameless = before - expected.size();
    hbase.deleteCell(UID_TABLE, tagUid(NAMELESS), "name", Bytes.toBytes("tagv"));
    // Two UIDs with one name: the name maps to the other one.
    expected.keySet().removeIf(key -> key.tags().get("host").equals(FOREIGN));
    foreign = before - nameless - expected.size();
    unnamed = nameless + foreign;
    hbase.putCells(
        UID_TABLE,
        List.of(
            new RawCell(
                tagUid(FOREIGN),
                "name",
                Bytes.toBytes("tagv"),
                System.currentTimeMillis(),
                Bytes.toBytes("h1"))));
    hbase.putCells(
        TABLE,
        List.of(
            malformedKey(),
            corruptCell(take("a.a", 2)),
            conflict(take("a.b", 5)),
            infinite(take("b.a", 8))));
    hbase.snapshot(TABLE, DATA_SNAPSHOT);
    hbase.snapshot(UID_TABLE, UID_SNAPSHOT);
  }

  private static byte[] tagUid(String name) throws IOException {
    return SharedStack.get().hbase().cells(UID_TABLE).stream()
        .filter(cell -> cell.family().equals("id") && Bytes.toString(cell.row()).equals(name))
        .findFirst()
        .orElseThrow()
        .value();
  }

  /** A good row, of which nothing is expected any more. */
  private static RollupKey take(String metric, int hour) {
    RollupKey key =
        expected.keySet().stream()
            .filter(k -> k.metric().equals(metric))
            .filter(k -> k.timestamp() == SmallData.FROM + hour * SmallData.HOUR)
            .findFirst()
            .orElseThrow();
    expected.remove(key);
    return key;
  }

  private static RawCell cell(byte[] row, String qualifier, String value) {
    HexFormat hex = HexFormat.of();
    return new RawCell(
        row, "t", hex.parseHex(qualifier), System.currentTimeMillis(), hex.parseHex(value));
  }

  /** A tag key and half of a tag value. */
  private static RawCell malformedKey() {
    byte[] good = data.row(expected.firstKey());
    return cell(Arrays.copyOf(good, 3 + 4 + 3 + 1), "0000", "01");
  }

  /** A qualifier of seconds that begins like one of milliseconds. */
  private static RawCell corruptCell(RollupKey key) {
    return cell(data.row(key), "f010", "01");
  }

  /** The first point's instant once more, in milliseconds and with another value. */
  private static RawCell conflict(RollupKey key) throws IOException {
    byte[] row = data.row(key);
    byte[] first = firstQualifier(row);
    int seconds = (first[0] & 0xff) << 4 | (first[1] & 0xff) >> 4;
    byte[] millis = ByteBuffer.allocate(4).putInt(0xf0000000 | (seconds * 1000) << 6).array();
    return cell(row, HexFormat.of().formatHex(millis), "63");
  }

  private static byte[] firstQualifier(byte[] row) throws IOException {
    return SharedStack.get().hbase().cells(TABLE).stream()
        .filter(cell -> Arrays.equals(cell.row(), row))
        .findFirst()
        .orElseThrow()
        .qualifier();
  }

  /** A float of 4 bytes. */
  private static RawCell infinite(RollupKey key) {
    return cell(data.row(key), "e0fb", "7f800000");
  }

  private static JobRun run(String reader, boolean fixDuplicates, String... more) {
    return job(fixDuplicates, more).json().reader(reader).run();
  }

  private static JobRun job(boolean fixDuplicates, String... more) {
    return new JobRun(TestFiles.directory("bad"))
        .with(data.input(root, DATA_SNAPSHOT, UID_SNAPSHOT))
        .with(
            "--tsd.storage.hbase.data_table=" + TABLE, "--tsd.storage.hbase.uid_table=" + UID_TABLE)
        .with("--tsd.storage.fix_duplicates=" + fixDuplicates)
        .with(SmallData.window(SmallData.FROM, SmallData.TO))
        .with(more);
  }

  @Test
  void aRunThatStoppedIsResumedWhereMoreIsAllowed() throws Exception {
    RollupTopic topic = RollupTopic.create("bad-resumed");
    JobRun stopped =
        job(false, "--max-failed-rows=" + (unnamed + 3), "--partition-size=0.001")
            .with(topic.options())
            .run();
    assertThat(stopped.exitCode()).as(stopped::everything).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(stopped.err()).contains("--resume " + stopped.report());

    JobRun again =
        job(false, "--max-failed-rows=0", "--partition-size=0.001")
            .with(topic.options())
            .with("--resume=" + stopped.report())
            .run();
    assertThat(again.exitCode()).as(again::everything).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(again.err()).contains("0 are allowed");

    // The second run has read nothing and has kept what the first one had.
    JobRun resumed =
        job(false, "--max-failed-rows=" + (unnamed + 4), "--partition-size=0.001")
            .with(topic.options())
            .with("--resume=" + again.report())
            .run();
    assertThat(resumed.exitCode()).as(resumed::everything).isEqualTo(ExitCode.DONE);
    assertThat(RollupDiff.of(expected, topic.messages().rollups())).isEmpty();
    JsonNode report = resumed.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/rows/failed/unresolvedUid").intValue()).isEqualTo(nameless);
    assertThat(report.at("/resumed/earlierRuns").intValue()).isEqualTo(2);
    assertThat(report.at("/resumed/partitions"))
        .isEqualTo(stopped.reportJson().get("partitionsFinished"));
    assertThat(report.at("/failedSamples/unresolvedUid")).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "merge"})
  void stopsByDefault(String reader) throws Exception {
    JobRun run = run(reader, false);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains("--max-failed-rows", "0 are allowed", "row ");
    assertThat(run.output()).doesNotExist();
    JsonNode report = run.reportJson();
    assertThat(report.get("exitCode").intValue()).isEqualTo(1);
    assertThat(report.get("failedSamples")).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "merge"})
  void oneRowTooMany(String reader) throws Exception {
    JobRun run = run(reader, false, "--max-failed-rows=" + (unnamed + 3));
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.output()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "merge"})
  void goesOnWhereAllowed(String reader) throws Exception {
    JobRun run = run(reader, false, "--max-failed-rows=" + (unnamed + 4));
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(RollupDiff.of(expected, run.rollups())).isEmpty();
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    JsonNode failed = report.at("/rows/failed");
    assertThat(failed.get("malformedKey").intValue()).isEqualTo(1);
    assertThat(failed.get("corruptCell").intValue()).isEqualTo(1);
    assertThat(failed.get("conflictingDuplicates").intValue()).isEqualTo(1);
    assertThat(failed.get("notFinite").intValue()).isEqualTo(1);
    assertThat(failed.get("unresolvedUid").intValue()).isEqualTo(nameless);
    assertThat(failed.get("foreignName").intValue()).isEqualTo(foreign).isPositive();
    assertThat(failed.get("unreadableBlock").intValue()).isZero();
    JsonNode samples = report.get("failedSamples");
    failed
        .properties()
        .forEach(
            reason -> {
              if (reason.getValue().intValue() > 0) {
                assertThat(samples.get(reason.getKey())).as(reason.getKey()).isNotEmpty();
              }
            });
    assertThat(samples.at("/unresolvedUid/0").textValue()).contains("no name for tagv UID");
    assertThat(samples.at("/foreignName/0").textValue())
        .contains("has name 'h1' for tagv UID", "maps that name to another UID");
  }

  /** Of the series that have a bad row no day is emitted, and of the others every one. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "merge"})
  void aDayWithABadRowIsNotEmitted(String reader) throws Exception {
    JobRun run = run(reader, false, "--max-failed-rows=" + (unnamed + 4), "--interval=1h,1d");
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(RollupDiff.of(expected, run.rollups("1h"))).isEmpty();
    SortedMap<RollupKey, RollupValues> days = data.days(SmallData.FROM, SmallData.TO);
    int all = days.size();
    days.keySet().removeIf(BadRowsIT::lacksAnHour);
    assertThat(all - days.size()).isEqualTo(3 + 2 * SmallData.METRICS.size());
    assertThat(RollupDiff.of(days, run.rollups("1d"))).isEmpty();
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/days/read").intValue()).isEqualTo(all);
    assertThat(report.at("/days/emitted").intValue()).isEqualTo(days.size());
    assertThat(report.at("/days/failed/incompleteDay").intValue()).isEqualTo(all - days.size());
    assertThat(report.at("/days/failed/failedDay").intValue()).isZero();
    assertThat(report.at("/failedSamples/incompleteDay/0").textValue())
        .startsWith("day 2025-11-19 of TSUID 00000");
  }

  private static boolean lacksAnHour(RollupKey day) {
    return !LongStream.range(0, 24)
        .mapToObj(
            hour ->
                new RollupKey(day.metric(), day.tags(), day.timestamp() + hour * SmallData.HOUR))
        .allMatch(expected::containsKey);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "merge"})
  void duplicatesAreSettledWhereTheTsdSettlesThem(String reader) throws Exception {
    JobRun run = run(reader, true, "--max-failed-rows=" + (unnamed + 3));
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    SortedMap<RollupKey, RollupValues> emitted = new TreeMap<>(run.rollups());
    assertThat(emitted).hasSize(expected.size() + 1);
    emitted.keySet().retainAll(expected.keySet());
    assertThat(RollupDiff.of(expected, emitted)).isEmpty();
    assertThat(run.reportJson().at("/points/duplicates").intValue()).isEqualTo(1);
  }

  /** HFiles need no names, and are not written after all else was read in vain. */
  @Test
  void hfilesAreWrittenOnlyWhereAllowed() throws Exception {
    SharedStack.get().create(OpenTsdbTables.of(CorrectnessIT.conf("bad")).rollup("bad-rollup-1h"));
    JobRun stopped = hfiles("--partition-size=0.001");
    assertThat(stopped.exitCode()).as(stopped::everything).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(stopped.err())
        .contains("0 are allowed", "the run stopped and did not read the rest", "row ");
    assertThat(stopped.hfiles()).isEmptyDirectory();
    JsonNode report = stopped.reportJson();
    assertThat(report.get("failedSamples")).isNotEmpty();
    assertThat(report.at("/rows/read").intValue()).isPositive().isLessThan(expected.size() / 2);
    assertThat(report.has("output")).isFalse();

    JobRun allowed = hfiles("--max-failed-rows=4");
    assertThat(allowed.exitCode()).as(allowed::everything).isEqualTo(ExitCode.DONE);
    JsonNode books = allowed.reportJson();
    assertThat(books.get("booksClose").booleanValue()).isTrue();
    assertThat(books.get("rollups").intValue()).isEqualTo(expected.size() + unnamed);
    assertThat(books.at("/messages/acknowledged").intValue())
        .isEqualTo(4 * (expected.size() + unnamed));
  }

  private static JobRun hfiles(String... more) {
    Path directory = TestFiles.directory("bad-hfiles");
    JobRun run = new JobRun(directory);
    return run.with(
            "--snapshot-root=" + root,
            "--data-snapshot=" + DATA_SNAPSHOT,
            "--tsd-config=" + data.configFile(),
            "--rollup-config=" + TestFiles.rollupConfig(directory, "bad"),
            "--tsd.storage.hbase.data_table=" + TABLE,
            "--tsd.storage.fix_duplicates=false",
            "--sink=hfile",
            "--hfile-dir=" + run.hfiles().toUri())
        .with(SmallData.window(SmallData.FROM, SmallData.TO))
        .with(more)
        .run();
  }
}
