package io.tsdbsuite.report.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.FreePorts;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * bin/series-report over a real HBase: living series by a TSD that tracks, others with times of the
 * test's own.
 */
class SeriesReportIT {
  private static final long HOUR = TimeUnit.HOURS.toMillis(1);
  private static final long DAY = TimeUnit.DAYS.toMillis(1);
  private static final long CREATED = 1763510400L;

  private static Path dir;
  private static Stack stack;
  private static MetaTable meta;
  private static String tsdConfig;
  private static long now;
  private static String idleTsuid;

  @BeforeAll
  static void fill() throws Exception {
    dir = WorkDirs.fresh("SeriesReportIT");
    stack = Stack.in(dir).tsd(Map.of("tsd.core.meta.enable_tsuid_tracking", "true")).start();
    tsdConfig = stack.tsd().configFile().toString();
    now = System.currentTimeMillis();
    meta = new MetaTable(stack.hbase(), stack.tsd().client());
    byte[] idle = meta.tsuid("cpu", "host", "db01");
    idleTsuid = HexFormat.of().withUpperCase().formatHex(idle);
    meta.counter(idle, now - 40 * DAY, 1234);
    meta.tsMeta(idle, "{\"tsuid\":\"" + idleTsuid + "\",\"created\":" + CREATED + "}");
    meta.counter(meta.tsuid("disk.free", "host", "db01", "fs", "root"), now - 100 * DAY, 1);
    for (String metric : List.of("mem.used", "net.in")) {
      meta.counter(meta.tsuid(metric, "host", "web03"), now - 5 * HOUR, 1);
    }
    meta.tsMeta(meta.tsuid("mem.used", "host", "web01"), "{\"created\":" + CREATED + "}");
    meta.counter(HexFormat.of().parseHex("FFFFFE000001000001"), now - 60 * DAY, 1);
    meta.counter(HexFormat.of().parseHex("FFFFFF00"), now, 1);
    meta.counter(HexFormat.of().parseHex("FFFFFF000001000001"), now, new byte[4]);
    meta.write();
    List<DataPoint> living = new ArrayList<>();
    for (String host : List.of("web01", "web02", "web03")) {
      living.add(new DataPoint("cpu", now / 1000, 1L, Map.of("host", host)));
    }
    stack.tsd().client().put(living);
    Await.until(
        "three series to be tracked by the TSD",
        Duration.ofMinutes(1),
        () ->
            stack.hbase().cells(MetaTable.TABLE).stream()
                    .filter(cell -> cell.timestamp() >= now - HOUR && cell.row().length == 9)
                    .count()
                >= 4);
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  private static ReportProcess live(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--tsd-config=" + tsdConfig);
    return ReportProcess.live(dir, all.toArray(new String[0]));
  }

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text);
  }

  @Test
  void idleSeriesAsTableWithBooks() throws Exception {
    ReportProcess report = live("idle");
    assertThat(report.exitCode()).as(report.err()).isZero();
    assertThat(report.out().lines())
        .hasSize(5)
        .anyMatch(line -> line.endsWith("2025-11-19T00:00:00Z cpu{host=db01}"))
        .anyMatch(line -> line.endsWith("disk.free{fs=root,host=db01}"))
        .anyMatch(line -> line.contains(" FFFFFE{host=") && line.contains("60d "))
        .endsWith("3 series");
    assertThat(report.err())
        .contains(
            "rows read 11 = listed 3 + left off by --limit 0 + not matching 5 + never tracked 1"
                + " + skipped 2")
        .contains("skipped: 1 rows whose key has no length of a TSUID")
        .contains("skipped: 1 rows whose ts_ctr is not 8 bytes")
        .contains("1 of the listed have a UID without a name of its own in tsdb-uid");
  }

  @Test
  void aDryRunChecksNamesAndWritesNothing() throws Exception {
    Path file = dir.resolve("dry.csv");
    ReportProcess dry = live("idle", "--metric=cpu", "--output=" + file, "--dry-run");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(dry.out())
        .contains("report             to " + file)
        .contains("dry run            no series was read, nothing was written");
    assertThat(file).doesNotExist();
    ReportProcess unknown = live("idle", "--metric=cpv", "--dry-run");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("--metric").contains("cpv");
  }

  @Test
  void idleSeriesOfAMetricAsCsvInAFile() throws Exception {
    Path file = dir.resolve("idle.csv");
    ReportProcess report =
        live("idle", "--metric=cpu", "--tag=host=db*", "--format=csv", "--output=" + file);
    assertThat(report.exitCode()).as(report.err()).isZero();
    assertThat(report.out()).isEmpty();
    long last = now - 40 * DAY;
    assertThat(Files.readString(file))
        .startsWith("tsuid,metric,tags,last_received,last_received_ms,points,created_s\r\n")
        .contains(idleTsuid + ",cpu,host=db01,")
        .endsWith("Z," + last + ",1234," + CREATED + "\r\n");
    assertThat(report.err()).contains("rows read 4 = listed 1 ");
  }

  @Test
  void stoppedSeriesByHostAsJson() throws Exception {
    ReportProcess report = live("stopped", "--group-by=host", "--format=json");
    assertThat(report.exitCode()).as(report.err()).isZero();
    JsonNode groups = json(report.out()).get("groups");
    assertThat(groups).hasSize(1);
    assertThat(groups.get(0).get("group").asText()).isEqualTo("web03");
    assertThat(groups.get(0).get("series").asLong()).isEqualTo(2);
    assertThat(groups.get(0).get("ofSeries").asLong()).isEqualTo(3);
    assertThat(groups.get(0).get("oldestMillis").asLong()).isEqualTo(now - 5 * HOUR);
  }

  @Test
  void theOldestAndTheUntracked() throws Exception {
    ReportProcess report =
        live("idle", "--include-untracked", "--sort=last-received", "--limit=2", "--format=json");
    assertThat(report.exitCode()).as(report.err()).isZero();
    JsonNode json = json(report.out());
    assertThat(json.get("leftOff").asLong()).isEqualTo(2);
    assertThat(json.get("series").get(0).get("metric").asText()).isEqualTo("disk.free");
    assertThat(json.get("series").get(1).get("metric").asText()).isEqualTo("FFFFFE");
  }

  @Test
  void wrongUseNamesEverything() throws Exception {
    ReportProcess report = live("idle", "--days=x", "--format=xml");
    assertThat(report.exitCode()).isEqualTo(2);
    assertThat(report.err()).contains("--days must be").contains("--format must be");
    report = live("idle", "--metric=cpuu", "--output=" + dir.resolve("never.csv"));
    assertThat(report.exitCode()).isEqualTo(2);
    assertThat(report.err()).contains("--metric must be a metric that tsdb-uid has, found: cpuu");
    assertThat(dir.resolve("never.csv")).doesNotExist();
    report = live("idle", "--nothing");
    assertThat(report.exitCode()).isEqualTo(2);
    assertThat(report.err()).contains("--nothing").contains("Usage: series-report idle");
  }

  @Test
  void helpNeedsNoClassPath() throws Exception {
    ReportProcess report = ReportProcess.live(dir, "--help");
    assertThat(report.exitCode()).isZero();
    assertThat(report.out()).contains("Usage: series-report");
    assertThat(report.err()).isEmpty();
  }

  @Test
  void hbaseThatIsAwayIsSaidInTime() throws Exception {
    Path conf = dir.resolve("away.conf");
    String quorum = "localhost:" + FreePorts.next();
    Files.writeString(conf, "tsd.storage.hbase.zk_quorum = " + quorum + "\n");
    ReportProcess report = ReportProcess.live(dir, "idle", "--tsd-config=" + conf, "--timeout=3s");
    assertThat(report.exitCode()).as(report.err()).isEqualTo(3);
    assertThat(report.err())
        .contains("HBase did not answer within 3 s (--timeout) for table tsdb-meta")
        .contains("ZooKeeper quorum " + quorum);
  }

  @Test
  void aTableThatIsMissingIsNamed() throws Exception {
    Path conf = dir.resolve("table.conf");
    Files.writeString(
        conf, Files.readString(Path.of(tsdConfig)) + "tsd.storage.hbase.meta_table = no-meta\n");
    ReportProcess report = ReportProcess.live(dir, "idle", "--tsd-config=" + conf);
    assertThat(report.exitCode()).as(report.err()).isEqualTo(3);
    assertThat(report.err())
        .contains(
            "HBase has no such table, or it is not online: table no-meta"
                + " (tsd.storage.hbase.meta_table)");
  }

  @Test
  void snapshotsTellTheSameAndStayAsTheyAre() throws Exception {
    stack.hbase().snapshot(MetaTable.TABLE, "meta-1");
    long taken = System.currentTimeMillis();
    stack.hbase().snapshot("tsdb-uid", "uid-1");
    Path backup = dir.resolve("backup");
    for (String snapshot : List.of("meta-1", "uid-1")) {
      stack.hbase().exportSnapshot(snapshot, backup.toUri().toString(), Map.of());
    }
    List<String> before = files(backup);
    String[] source = {"--root-dir=" + backup.toUri(), "--snapshot=meta-1", "--uid-snapshot=uid-1"};
    ReportProcess report =
        ReportProcess.snapshot(dir, with(source, "idle", "--include-untracked", "--format=csv"));
    assertThat(report.exitCode()).as(report.err()).isZero();
    assertThat(report.out())
        .isEqualTo(live("idle", "--include-untracked", "--format=csv").out())
        .contains("cpu,host=db01");
    assertThat(report.err()).contains("rows read 11 = listed 4 ");
    assertThat(files(backup)).isEqualTo(before);

    report = ReportProcess.snapshot(dir, with(source, "idle", "--metric=cpu", "--format=json"));
    assertThat(json(report.out()).get("nowMillis").asLong()).isBetween(now, taken);
    assertThat(report.err()).contains("rows read 4 = listed 1 ");

    report = ReportProcess.snapshot(dir, with(source, "idle", "--uid-widths=4,3,3"));
    assertThat(report.exitCode()).as(report.err()).isEqualTo(2);
    assertThat(report.err()).contains("the UID width of a metric must be that of snapshot uid-1");

    source[1] = "--snapshot=meta-2";
    report = ReportProcess.snapshot(dir, with(source, "idle"));
    assertThat(report.exitCode()).as(report.err()).isEqualTo(2);
    assertThat(report.err())
        .contains("snapshot 'meta-2' is not under")
        .contains("found there: meta-1, uid-1");
    assertThat(files(backup)).isEqualTo(before);
  }

  /** The same of a copy in a namespace, with files of its own and of the table, after a split. */
  @Test
  void snapshotOfATableInANamespace() throws Exception {
    stack.hbase().snapshot(MetaTable.TABLE, "meta-origin");
    stack.hbase().snapshot("tsdb-uid", "uid-origin");
    try (Admin admin = stack.hbase().connection().getAdmin()) {
      admin.createNamespace(NamespaceDescriptor.create("copies").build());
      admin.cloneSnapshot("meta-origin", TableName.valueOf("copies:meta"));
    }
    List<RawCell> cells = stack.hbase().cells("copies:meta");
    stack.hbase().putCells("copies:meta", cells);
    stack.hbase().flush("copies:meta");
    stack.hbase().split("copies:meta", cells.get(cells.size() / 2).row());
    stack.hbase().snapshot("copies:meta", "meta-copy");
    String[] source = {
      "--root-dir=" + stack.hbase().rootDir(), "--snapshot=meta-copy", "--uid-snapshot=uid-origin"
    };
    ReportProcess report =
        ReportProcess.snapshot(dir, with(source, "idle", "--include-untracked", "--format=csv"));
    assertThat(report.exitCode()).as(report.err()).isZero();
    assertThat(report.out())
        .isEqualTo(live("idle", "--include-untracked", "--format=csv").out())
        .contains("cpu,host=db01");
  }

  /** Many batches, names in many rounds; -Dreport.rows=N for more, times are on standard output. */
  @Test
  void manySeries() throws Exception {
    int hosts = 2000;
    int metrics = Integer.getInteger("report.rows", 20_000) / hosts;
    stack.create(OpenTsdbTables.defaults().meta("tsdb-meta-many"));
    byte[] tagk = Arrays.copyOfRange(meta.tsuid("cpu", "host", "db01"), 3, 6);
    ManyRows.write(stack.hbase(), "tsdb-meta-many", tagk, metrics, hosts, now - 40 * DAY);
    Path conf = dir.resolve("many.conf");
    Files.writeString(
        conf,
        Files.readString(Path.of(tsdConfig)) + "tsd.storage.hbase.meta_table = tsdb-meta-many\n");

    long start = System.nanoTime();
    ReportProcess report = ReportProcess.live(dir, "idle", "--tsd-config=" + conf, "--format=csv");
    say("list as CSV", metrics * hosts, start);
    assertThat(report.exitCode()).as(report.err()).isZero();
    assertThat(report.out().lines()).hasSize(metrics * hosts + 1).doesNotHaveDuplicates();
    assertThat(report.err()).contains("listed " + metrics * hosts + " ").doesNotContain("hex");

    start = System.nanoTime();
    report =
        ReportProcess.live(
            dir, "idle", "--tsd-config=" + conf, "--group-by=host", "--limit=10", "--tag=host=h*");
    say("group by host", metrics * hosts, start);
    assertThat(report.exitCode()).as(report.err()).isZero();
    assertThat(report.out()).contains("10 of " + hosts + " groups; --limit left the others off");
  }

  private static void say(String what, int rows, long start) {
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "series-report, %s: %d rows in %.1f s with the start of the process, %.0f rows/s%n",
        what, rows, seconds, rows / seconds);
  }

  private static String[] with(String[] source, String... arguments) {
    return Stream.concat(Stream.of(arguments), Stream.of(source)).toArray(String[]::new);
  }

  /** All files and directories below, checksums of the local file system included. */
  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> !file.equals(directory)).map(Path::toString).sorted().toList();
    }
  }
}
