package io.tsdbsuite.trigger.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.FreePorts;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * export-snapshots.sh over HBase's, Hadoop's and AWS's real commands, a real HBase and an S3
 * server: a night that fails half-way, resumes, and starts the packaged trigger. The tests run in
 * this order.
 */
@Tag("slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ExportScriptIT {
  private static final String ROOT = "by-script";
  private static final String DATA = "ns-origin-20261120";
  private static final String UID = "tsdb-uid-20261120";

  /** Of a table given as a rollup table. */
  private static final String ROLLUP = "tsdb-20261120";

  private static final String SNAPSHOTS = ".hbase-snapshot/";
  private static final String MARKER = "_EXPORTED/2026-11-20.json";
  private static final String CONTENT =
      "{\"v\":1,\"date\":\"2026-11-20\",\"dataSnapshot\":\"%s\",\"uidSnapshot\":\"%s\"}%n"
          .formatted(DATA, UID);
  private static final String EXPORT = "ExportSnapshot";

  private static final ExportedNight NIGHT = ExportedNight.get();
  private static final HBaseServer HBASE = NIGHT.hbase();
  private static final S3Server S3 = NIGHT.s3();
  private static final Backup BACKUP = NIGHT.backup();
  private static Exporter exporter;
  private static PackagedFunction function;

  @BeforeAll
  static void commands() throws IOException, InterruptedException {
    exporter = new Exporter("exporter", HBASE, Map.of(), S3);
    function = new PackagedFunction(ROOT).with("DATA_TABLE", "ns:origin").start();
  }

  @AfterAll
  static void s3ForOthers() {
    function.close();
    if (!S3.isAlive()) {
      S3.start();
    }
  }

  private static Exporter.Run export(String date, String... arguments)
      throws IOException, InterruptedException {
    return export(exporter, date, arguments);
  }

  private static Exporter.Run export(Exporter exporter, String date, String... arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    all.addAll(List.of("--root", "s3a://" + Backup.BUCKET + "/" + ROOT, "--date", date));
    all.addAll(List.of("--data-table", "ns:origin", "--mappers", "1", "--retry-seconds", "0"));
    all.addAll(List.of(arguments));
    return exporter.run(all.toArray(String[]::new));
  }

  /** HBase's snapshots and their creation times. */
  private static Map<String, Long> snapshots() throws IOException {
    try (Admin admin = HBASE.connection().getAdmin()) {
      Map<String, Long> snapshots = new LinkedHashMap<>();
      for (SnapshotDescription snapshot : admin.listSnapshots()) {
        snapshots.put(snapshot.getName(), snapshot.getCreationTime());
      }
      return snapshots;
    }
  }

  /** The objects below the root and their modification times. */
  private static Map<String, FileTime> written() throws IOException {
    Path root = S3.directory(Backup.BUCKET).resolve(ROOT);
    Map<String, FileTime> written = new LinkedHashMap<>();
    for (String key : BACKUP.keys(ROOT)) {
      written.put(key, Files.getLastModifiedTime(root.resolve(key)));
    }
    return written;
  }

  @Test
  @Order(1)
  void dryRun() throws IOException, InterruptedException {
    Map<String, Long> before = snapshots();
    Exporter.Run run = export("2026-11-20", "--dry-run");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines().filter(line -> line.startsWith("would run:"))).hasSize(5);
    assertThat(run.calls()).hasSize(2);
    assertThat(snapshots()).isEqualTo(before);
    assertThat(BACKUP.keys(ROOT)).isEmpty();
  }

  @Test
  @Order(2)
  void s3DiesBetweenTheExports() throws IOException, InterruptedException {
    exporter.killS3Before(EXPORT + " --snapshot " + UID);
    Exporter.Run run = export("2026-11-20", "--attempts", "1");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
    assertThat(run.err()).contains(UID + " was not exported in 1 attempts; no marker was written");
    assertThat(run.calls(" create "))
        .containsExactly(
            "hbase snapshot create --table ns:origin --name " + DATA,
            "hbase snapshot create --table tsdb-uid --name " + UID);
    assertThat(snapshots().get(DATA)).isLessThan(snapshots().get(UID));
    assertThat(run.calls(EXPORT)).hasSize(2);
    assertThat(run.calls("aws")).isEmpty();
    assertThat(S3.isAlive()).isFalse();
  }

  @Test
  @Order(3)
  void anOutageIsNotAnAbsence() throws IOException, InterruptedException {
    exporter.cancelKill();
    Exporter.Run run = export("2026-11-20");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
    assertThat(run.err())
        .contains("cannot tell what is exported below s3a://backup/" + ROOT + ": S3 or");
    assertThat(run.calls(EXPORT)).isEmpty();
    assertThat(run.calls("aws")).isEmpty();
  }

  /** With the files that an exporter leaves if it is killed during an export. */
  @Test
  @Order(4)
  void theNextRunGoesOnAndStartsTheTrigger() throws IOException, InterruptedException {
    S3.start();
    Map<String, FileTime> before = written();
    assertThat(before)
        .containsKeys(SNAPSHOTS + DATA + "/.snapshotinfo", SNAPSHOTS + DATA + "/data.manifest")
        .doesNotContainKey(MARKER);
    BACKUP.put(function.key(SNAPSHOTS + ".tmp/" + UID + "/.snapshotinfo"), new byte[1]);
    Exporter.Run run =
        export(
            "2026-11-20",
            "--attempts",
            "2",
            "-D",
            "fs.s3a.connection.maximum=50",
            "--rollup-table",
            "tsdb");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains(DATA + " is exported; --overwrite", "may be in-progress");
    assertThat(run.calls(" create "))
        .containsExactly("hbase snapshot create --table tsdb --name " + ROLLUP);
    assertThat(run.calls(EXPORT)).hasSize(3);
    assertThat(run.calls(EXPORT).subList(0, 2)).allMatch(call -> call.contains(UID));
    assertThat(run.calls("--overwrite")).containsExactly(run.calls(EXPORT).get(1));
    Map<String, FileTime> after = written();
    assertThat(after).containsAllEntriesOf(before);
    // A proof of the export names the manifest, and must hold for HBase's own snapshot.
    for (String snapshot : List.of(DATA, ROLLUP)) {
      String manifest = SNAPSHOTS + snapshot + "/data.manifest";
      assertThat(BACKUP.get(function.key(manifest)))
          .isEqualTo(Files.readAllBytes(Path.of(URI.create(HBASE.rootDir())).resolve(manifest)));
    }
    FileTime marker = after.remove(MARKER);
    assertThat(after.values()).allMatch(time -> time.compareTo(marker) < 0);
    assertThat(new String(BACKUP.get(function.key(MARKER)), StandardCharsets.UTF_8))
        .isEqualTo(CONTENT);

    assertThat(function.deliver(MARKER)).as(function::output).isEmpty();
    JsonNode input = function.input();
    assertThat(input.get("root").textValue()).isEqualTo("s3://backup/" + ROOT);
    assertThat(input.get("dataSnapshot").textValue()).isEqualTo(DATA);
    assertThat(input.get("uidSnapshot").textValue()).isEqualTo(UID);
  }

  @Test
  @Order(5)
  void againOnTheSameDay() throws IOException, InterruptedException {
    for (String name : List.of("ns-origin-20261112", "ns-origin-20261113", "ns-origin-keep")) {
      HBASE.snapshot("ns:origin", name);
    }
    HBASE.snapshot("tsdb-uid", "tsdb-uid-20261101");
    HBASE.snapshot("tsdb", "tsdb-20261112");
    // Of the age of the oldest proof that tiers apply takes.
    HBASE.snapshot("tsdb", "tsdb-20261113");
    Map<String, Long> snapshots = snapshots();
    Map<String, FileTime> before = written();
    before.remove(MARKER);
    Exporter.Run run =
        export("2026-11-20", "--marker", "hadoop", "--delete-after", "7", "--rollup-table", "tsdb");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.calls(EXPORT)).isEmpty();
    Map<String, FileTime> after = written();
    after.remove(MARKER);
    assertThat(after).isEqualTo(before);
    assertThat(new String(BACKUP.get(function.key(MARKER)), StandardCharsets.UTF_8))
        .isEqualTo(CONTENT);
    assertThat(function.deliver(MARKER)).isEmpty();
    assertThat(function.executions()).hasSize(1);

    snapshots
        .keySet()
        .removeAll(List.of("ns-origin-20261112", "tsdb-uid-20261101", "tsdb-20261112"));
    assertThat(snapshots()).containsExactlyInAnyOrderEntriesOf(snapshots);
  }

  /**
   * The list of snapshots comes from the file system, here one that never had any. Taking a
   * snapshot needs the master.
   */
  @Test
  @Order(6)
  void hbaseIsDown() throws IOException, InterruptedException {
    Exporter down =
        new Exporter(
            "exporter-without-hbase",
            HBASE,
            Map.of(
                "hbase.rootdir",
                WorkDirs.fresh("empty-hbase").toUri().toString(),
                "hbase.zookeeper.property.clientPort",
                Integer.toString(FreePorts.next()),
                "hbase.client.retries.number",
                "1",
                "zookeeper.recovery.retry",
                "0"),
            S3);
    Exporter.Run run = export(down, "2026-11-22", "--overwrite");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
    assertThat(run.err())
        .contains("HBase has no snapshots yet")
        .contains("failed to take the snapshot: ")
        .contains("table ns:origin: snapshot ns-origin-20261122 failed");
    assertThat(run.calls()).hasSize(2);
  }
}
