package io.tsdbsuite.report.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.FreePorts;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** bin/series-report over snapshots of tables with several HFiles, whole and damaged. */
class SnapshotIT {
  private static final String META = "tsdb-meta";
  private static final long DAY = TimeUnit.DAYS.toMillis(1);
  private static final byte[] COUNTER = bytes("ts_ctr");
  private static final byte[] TS_META = bytes("ts_meta");

  private static Path dir;
  private static Stack stack;
  private static Path backup;
  private static String live;
  private static String liveBooks;

  @BeforeAll
  static void export() throws Exception {
    dir = WorkDirs.fresh("SnapshotIT");
    stack = Stack.in(dir).hbase().s3().start();
    stack.create(OpenTsdbTables.defaults());
    HBaseServer hbase = stack.hbase();
    writeNames(hbase);
    writeMeta(hbase);
    hbase.snapshot(META, "meta-1");
    hbase.snapshot("tsdb-uid", "uid-1");
    hbase.snapshot("tsdb", "data-1");
    backup = dir.resolve("backup");
    for (String snapshot : List.of("meta-1", "uid-1", "data-1")) {
      hbase.exportSnapshot(snapshot, backup.toUri().toString(), Map.of());
    }
    Path conf = dir.resolve("opentsdb.conf");
    Files.writeString(conf, "tsd.storage.hbase.zk_quorum = " + hbase.zkQuorum() + "\n");
    ReportProcess report = ReportProcess.live(dir, idle("--tsd-config=" + conf));
    assertThat(report.exitCode()).as(report.err()).isZero();
    live = report.out();
    liveBooks = books(report);
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  private static void writeNames(HBaseServer hbase) throws IOException {
    List<RawCell> cells = new ArrayList<>();
    Map<String, String> names = Map.of("metrics", "cpu", "tagk", "host", "tagv", "web01");
    names.forEach(
        (kind, name) -> {
          byte[] uid = {0, 0, 1};
          cells.add(new RawCell(uid, "name", bytes(kind), 1, bytes(name)));
          cells.add(new RawCell(bytes(name), "id", bytes(kind), 1, uid));
        });
    // One UID with two names, and two UIDs with one name.
    cells.add(new RawCell(bytes("web02"), "id", bytes("tagv"), 1, new byte[] {0, 0, 1}));
    cells.add(new RawCell(new byte[] {0, 0, 2}, "name", bytes("tagv"), 1, bytes("web01")));
    hbase.putCells("tsdb-uid", cells);
  }

  /** Versions and deletes in one HFile for cells of another. */
  private static void writeMeta(HBaseServer hbase) throws IOException {
    long old = System.currentTimeMillis() - 40 * DAY;
    List<RawCell> cells = new ArrayList<>();
    for (int series = 1; series <= 6; series++) {
      cells.add(counter(series, old + series, 7));
      cells.add(new RawCell(tsuid(series), "name", TS_META, 1, bytes("{\"created\":1763510400}")));
    }
    hbase.putCells(META, cells);
    hbase.flush(META);
    hbase.putCells(
        META,
        List.of(
            counter(1, old + DAY, 99),
            counter(2, old - DAY, 1),
            new RawCell(tsuid(4), "name", TS_META, 2, bytes("{\"created\":1763510401}")),
            new RawCell(tsuid(7), "name", bytes("other"), 1, new byte[8])));
    hbase.deleteRow(META, tsuid(5));
    hbase.deleteCell(META, tsuid(6), "name", COUNTER);
    hbase.flush(META);
    hbase.putCells(META, List.of(counter(3, old + 2 * DAY, 100)));
  }

  private static RawCell counter(int series, long timestamp, long points) {
    byte[] value = ByteBuffer.allocate(8).putLong(points).array();
    return new RawCell(tsuid(series), "name", COUNTER, timestamp, value);
  }

  private static byte[] tsuid(int series) {
    return HexFormat.of().parseHex("000001000001" + String.format("%06x", series));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String[] idle(String... arguments) {
    return Stream.concat(
            Stream.of("idle", "--include-untracked", "--format=csv"), Stream.of(arguments))
        .toArray(String[]::new);
  }

  private static String[] idle(Path root, String meta, String uid) {
    return idle("--root-dir=" + root.toUri(), "--snapshot=" + meta, "--uid-snapshot=" + uid);
  }

  private static String books(ReportProcess report) {
    return report.err().lines().filter(line -> line.contains("rows read ")).findFirst().orElse("");
  }

  @Test
  void versionsAndDeletesAreMergedAsHBaseDoes() throws Exception {
    ReportProcess report = ReportProcess.snapshot(dir, idle(backup, "meta-1", "uid-1"));
    assertThat(report.exitCode()).as(report.err()).isZero();
    assertThat(report.out())
        .isEqualTo(live)
        .contains(",99,1763510400", ",100,1763510400", ",7,1763510401", "000001000001000006,")
        .doesNotContain("000001000001000005,", "000001000001000007,");
    assertThat(books(report)).isEqualTo(liveBooks).contains("rows read 5 = listed 5 ");
  }

  @Test
  void aNameOfAnotherUidIsNotShown() throws Exception {
    ReportProcess report = ReportProcess.snapshot(dir, idle(backup, "meta-1", "uid-1"));
    for (String list : List.of(report.out(), live)) {
      assertThat(list)
          .contains("000001000001000001,cpu,host=web01,")
          .contains("000001000001000002,cpu,host=000002,");
    }
    assertThat(report.err()).contains("have a UID without a name of its own");
  }

  @Test
  void aSecondNameOfAUidIsRefused() throws Exception {
    String[] asked = {"--tag=host=web02", "--tsd-config=" + dir.resolve("opentsdb.conf")};
    ReportProcess hbase = ReportProcess.live(dir, idle(asked));
    assertThat(hbase.exitCode()).as(hbase.err()).isEqualTo(2);
    assertThat(hbase.err()).contains("web02 has UID 000001", "whose name is web01");
    requireProblem(backup, "meta-1", "uid-1", 2, "tsdb-uid has, found: web02", "--tag=host=web02");
  }

  @Test
  void snapshotsOnS3AreReadWithoutHBaseOnTheClassPath() throws Exception {
    stack.s3().createBucket("backup");
    Map<String, String> writer = stack.s3().s3aProperties();
    for (String snapshot : List.of("meta-1", "uid-1")) {
      stack.hbase().exportSnapshot(snapshot, "s3a://backup/hbase", writer);
    }
    ReportProcess report =
        ReportProcess.hadoop(dir, s3(stack.s3().readOnlyView().s3aProperties(), "backup"));
    assertThat(report.exitCode()).as(report.err()).isZero();
    assertThat(report.out()).isEqualTo(live);
  }

  private static String[] s3(Map<String, String> properties, String bucket) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--root-dir=s3a://" + bucket + "/hbase");
    arguments.add("--snapshot=meta-1");
    arguments.add("--uid-snapshot=uid-1");
    properties.forEach((key, value) -> arguments.add("--hbase-property=" + key + "=" + value));
    return idle(arguments.toArray(String[]::new));
  }

  @Test
  void storageThatDoesNotAnswerCanBeTriedAgain() throws Exception {
    Map<String, String> dead = stack.s3().s3aProperties();
    dead.put("fs.s3a.endpoint", "http://127.0.0.1:" + FreePorts.next());
    ReportProcess report = ReportProcess.hadoop(dir, s3(dead, "backup"));
    assertThat(report.exitCode()).as(report.err()).isEqualTo(3);
    assertThat(report.err())
        .contains("series-report: snapshot 'meta-1' under root s3a://backup/hbase");
    assertThat(report.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "uid-1,  uid-1,  --snapshot must be a snapshot of tsdb-meta",
    "meta-1, meta-1, --uid-snapshot must be a snapshot of tsdb-uid",
    "data-1, uid-1,  which has no column family 'name'",
    "meta-1, data-1, which has no column family 'name'",
    "meta-2, uid-1,  'snapshot ''meta-2'' is not under'",
    "meta-1, uid-2,  'found there: data-1, meta-1, uid-1'",
  })
  void aSnapshotOfAnotherTableIsRefused(String meta, String uid, String problem) {
    requireProblem(backup, meta, uid, 2, problem);
  }

  @Test
  void aRootWithoutSnapshotsIsRefused() {
    requireProblem(dir.resolve("tmp"), "meta-1", "uid-1", 2, "has no .hbase-snapshot directory");
  }

  private enum Damage {
    BIT,
    LENGTH,
    LOST
  }

  @ParameterizedTest
  @CsvSource({
    "BIT,    tsdb-meta,      'snapshot ''meta-1'': HFile file:'",
    "BIT,    tsdb-uid,       'snapshot ''uid-1'': HFile file:'",
    "LENGTH, tsdb-meta,      bytes where the manifest says",
    "LOST,   tsdb-meta,      'snapshot ''meta-1'' is not whole'",
    "LENGTH, meta-1,         is corrupt",
    "LOST,   meta-1,         it has no data.manifest",
  })
  void aDamagedSnapshotIsBadInput(Damage damage, String place, String problem) throws IOException {
    Path copy = copyOf(backup, dir.resolve("damaged-" + damage + "-" + place));
    damage(file(copy, place), damage);
    requireProblem(copy, "meta-1", "uid-1", 1, problem);
  }

  /** One problem, and no stack trace. */
  private static void requireProblem(
      Path root, String meta, String uid, int exitCode, String problem, String... more) {
    String[] arguments =
        Stream.concat(Stream.of(idle(root, meta, uid)), Stream.of(more)).toArray(String[]::new);
    ReportProcess report = ReportProcess.inThisJvm(arguments);
    assertThat(report.exitCode()).as(report.err()).isEqualTo(exitCode);
    assertThat(report.err().lines().filter(line -> line.startsWith("series-report: ")))
        .singleElement()
        .asString()
        .contains(problem);
    assertThat(report.out()).doesNotContain("cpu");
    assertThat(report.err()).doesNotContain("\tat ");
  }

  /** The largest HFile of the family that is read of a table, or the manifest of a snapshot. */
  private static Path file(Path root, String place) throws IOException {
    Path manifest = root.resolve(".hbase-snapshot").resolve(place).resolve("data.manifest");
    if (Files.exists(manifest)) {
      return manifest;
    }
    try (Stream<Path> files = Files.walk(root.resolve("archive/data/default").resolve(place))) {
      return files
          .filter(file -> file.getParent().endsWith("name") && !file.toString().endsWith(".crc"))
          .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
          .orElseThrow();
    }
  }

  /** Without the local file system's checksum, as on S3. */
  private static void damage(Path file, Damage damage) throws IOException {
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    byte[] bytes = Files.readAllBytes(file);
    switch (damage) {
      case BIT -> {
        bytes[60] ^= 1;
        Files.write(file, bytes);
      }
      case LENGTH -> Files.write(file, Arrays.copyOf(bytes, bytes.length - 9));
      case LOST -> Files.delete(file);
    }
  }

  private static Path copyOf(Path source, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      files.forEach(
          file -> {
            try {
              Files.copy(file, target.resolve(source.relativize(file).toString()));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
    return target;
  }
}
