package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.seed.Seed;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Prune over ten real exports with links and splits: the judge of what stays is a fresh export of
 * the nights to keep, and the judge of their content is the TSD.
 */
class PruneIT {
  /** Rounds with {@code kill -9}; {@code -Dprune.kills=N} for more. */
  private static final int KILLS = Integer.getInteger("prune.kills", 2);

  private static final Duration LONG = Duration.ofMinutes(2);

  /** The newest, and the last of each week: 1 November 2026 is a Sunday. */
  private static final int[] KEPT = {0, 7, 9};

  private static final SmallData DATA = SmallData.get();

  private static final ExportedNights NIGHTS = ExportedNights.get();

  /** What a fresh export of the nights to keep has. */
  private static SortedSet<String> expected;

  @BeforeAll
  static void freshExport() throws Exception {
    expected = NIGHTS.freshExport(KEPT);
  }

  private static List<String> prune(String root, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "prune",
                "--snapshot-root=" + root,
                "--table=" + ExportedNights.DATA_TABLE,
                "--table=" + ExportedNights.UID_TABLE,
                "--keep-days=1",
                "--keep-weeks=3"));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private static JobRun run(String name, String root, Map<String, String> hadoop, String... more) {
    return new JobRun(TestFiles.directory(name))
        .hadoop(hadoop)
        .with(prune(root, more).toArray(String[]::new))
        .run();
  }

  private static JsonNode done(JobRun run) throws Exception {
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    return report;
  }

  private static void requireRollups(String root, int... nights) throws Exception {
    for (int night : nights) {
      JobRun rollup =
          new JobRun(TestFiles.directory("night-" + night))
              .json()
              .with(NIGHTS.input(root, night))
              .run();
      assertThat(rollup.exitCode()).as(rollup::everything).isEqualTo(ExitCode.DONE);
      assertThat(RollupDiff.of(DATA.answers(SmallData.START, SmallData.END), rollup.rollups()))
          .as("night %d", night)
          .isEmpty();
    }
  }

  @Test
  void killedAtRandomMoments() throws Exception {
    Path directory = TestFiles.directory("prune-killed");
    Path root = NIGHTS.copy(directory.resolve("backup"));
    SortedSet<String> before = ExportedNights.files(root);
    JsonNode plan = done(run("plan", root.toUri().toString(), Map.of()));
    assertThat(ExportedNights.files(root)).isEqualTo(before);
    long files = plan.at("/hfiles/toDelete/files").longValue();
    assertThat(files).isEqualTo(hfiles(before) - hfiles(expected)).isGreaterThan(10);

    Random random = Seed.random();
    for (int kill = 0; kill < KILLS; kill++) {
      // The nights' own files, then HFiles; later rounds find fewer of them.
      int deletion = 1 + random.nextInt((int) files / 2 + 20);
      kill(directory.resolve("kill-" + kill), root, deletion);
      for (int night : KEPT) {
        assertThat(ExportedNights.files(root)).containsAll(nightFiles(night));
      }
    }
    done(run("rest", root.toUri().toString(), Map.of(), "--delete"));
    assertThat(ExportedNights.files(root)).isEqualTo(expected);
    requireRollups(root.toUri().toString(), KEPT);
    JsonNode again = done(run("again", root.toUri().toString(), Map.of(), "--delete"));
    assertThat(again.at("/hfiles/deleted/files").longValue()).isZero();
  }

  private static long hfiles(SortedSet<String> files) {
    return files.stream().filter(file -> file.startsWith("archive/")).count();
  }

  private static SortedSet<String> nightFiles(int night) {
    SortedSet<String> files = new TreeSet<>(expected);
    files.removeIf(
        file ->
            !file.startsWith("archive/")
                && !file.contains(ExportedNights.date(night))
                && !file.contains(ExportedNights.date(night).replace("-", "")));
    return files;
  }

  /** Starts prune in a JVM of its own and kills it before a deletion; it may be done earlier. */
  private static void kill(Path directory, Path root, int deletion) throws Exception {
    Path reached = Files.createDirectories(directory).resolve("reached");
    List<String> flags =
        List.of(
            "-Dspark.hadoop.fs.file.impl=" + HeldFileSystem.class.getName(),
            "-Dspark.hadoop." + HeldFileSystem.DELETIONS + "=" + deletion,
            "-Dspark.hadoop." + HeldFileSystem.REACHED + "=" + reached);
    try (ChildJob child =
        ChildJob.start(prune(root.toUri().toString(), "--delete"), directory, flags)) {
      child.await(Seed.describe() + ", deletion " + deletion, () -> Files.exists(reached));
    }
  }

  /**
   * A night whose manifests are deleted is exported again. ExportSnapshot finds all HFiles but one,
   * which are old, and does not copy them; it copies the smallest file last, and is held there.
   */
  @Test
  void anExportRunsAtTheSameTime() throws Exception {
    Path directory = TestFiles.directory("prune-export");
    Path root = NIGHTS.copy(directory.resolve("backup"));
    String uri = root.toUri().toString();
    int night = 2;
    forget(root, night);
    Path held = Files.writeString(directory.resolve("held"), "");
    CompletableFuture<Void> export =
        CompletableFuture.runAsync(
            () -> {
              try {
                NIGHTS.export(
                    night,
                    root,
                    Map.of(
                        "fs.file.impl",
                        HeldFileSystem.class.getName(),
                        "fs.file.impl.disable.cache",
                        "true",
                        HeldFileSystem.HFILES,
                        held.toString()));
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    Path manifest =
        root.resolve(
            ".hbase-snapshot/.tmp/"
                + ExportedNights.snapshot(ExportedNights.DATA_TABLE, night)
                + "/data.manifest");
    Await.until(
        "the export's manifest",
        LONG,
        () -> {
          if (export.isDone()) {
            export.join();
          }
          return Files.exists(manifest);
        });
    JobRun run = run("during", uri, Map.of(), "--delete");
    JsonNode report = done(run);
    assertThat(run.err()).contains("an export runs or was broken off");
    assertThat(report.at("/hfiles/deleted/files").longValue()).isPositive();
    assertThat(export).isNotDone();
    Files.delete(held);
    export.join();
    assertThat(ExportedNights.files(root))
        .isEqualTo(NIGHTS.freshExport(KEPT[0], night, KEPT[1], KEPT[2]));
    requireRollups(uri, night);
  }

  /** Deletes manifests and marker of a night, and the smallest of the HFiles that only it has. */
  private static void forget(Path root, int night) throws Exception {
    for (String table : List.of(ExportedNights.DATA_TABLE, ExportedNights.UID_TABLE)) {
      TestFiles.delete(
          root.resolve(".hbase-snapshot").resolve(ExportedNights.snapshot(table, night)));
    }
    Files.delete(root.resolve("_EXPORTED").resolve(ExportedNights.date(night) + ".json"));
    SortedSet<String> own = NIGHTS.freshExport(night);
    own.removeAll(expected);
    own.removeIf(file -> !file.startsWith("archive/"));
    assertThat(own).hasSizeGreaterThan(1);
    String smallest = own.stream().min(Comparator.comparing(PruneIT::size)).orElseThrow();
    Files.delete(root.resolve(smallest.substring(0, smallest.indexOf(' '))));
  }

  /** Of a file and its size with a blank between. */
  private static long size(String file) {
    return Long.parseLong(file.substring(file.indexOf(' ') + 1));
  }

  @Test
  void onS3() throws Exception {
    S3Server s3 = SharedStack.get().s3();
    Path root = bucket("prune");
    String uri = "s3a://prune/hbase";
    Map<String, String> s3a = s3a(s3.s3aProperties());
    JsonNode report = done(run("s3", uri, s3a, "--delete"));
    assertThat(report.at("/hfiles/deleted/files").longValue()).isGreaterThan(10);
    assertThat(report.at("/unknown/count").longValue()).isZero();
    assertThat(withoutDirectories(ExportedNights.files(root)))
        .isEqualTo(withoutDirectories(expected));
    // Hadoop keeps one client for each bucket, with the numbers of its requests.
    FileSystem client = FileSystem.get(URI.create(uri), new Configuration());
    assertThat(
            Objects.requireNonNull(IOStatisticsSupport.retrieveIOStatistics(client))
                .counters()
                .get(StoreStatisticNames.OBJECT_BULK_DELETE_REQUEST))
        .isPositive();
  }

  /** Empty directories are no objects. */
  private static SortedSet<String> withoutDirectories(SortedSet<String> files) {
    SortedSet<String> objects = new TreeSet<>(files);
    objects.removeIf(name -> name.endsWith("/"));
    return objects;
  }

  private static Path bucket(String name) throws Exception {
    S3Server s3 = SharedStack.get().s3();
    s3.createBucket(name);
    return NIGHTS.copyObjects(s3.directory(name).resolve("hbase"));
  }

  private static Map<String, String> s3a(Map<String, String> server) {
    Map<String, String> s3a = new HashMap<>(server);
    s3a.put("fs.s3a.bulk.delete.page.size", "10");
    // Files that were copied into a bucket have no ETag there.
    s3a.put("fs.s3a.change.detection.version.required", "false");
    return s3a;
  }

  /** A role that may only read. */
  @Test
  void deletionsThatS3Refuses() throws Exception {
    Path root = bucket("prune-refused");
    SortedSet<String> before = ExportedNights.files(root);
    Map<String, String> s3a = s3a(SharedStack.get().s3().readOnlyView().s3aProperties());
    JobRun run = run("s3-refused", "s3a://prune-refused/hbase", s3a, "--delete");
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.OUTSIDE);
    assertThat(run.err()).contains("prune-refused");
    assertThat(ExportedNights.files(root)).isEqualTo(before);
    assertThat(run.reportJson().at("/hfiles/deleted/files").longValue()).isZero();
    assertThat(run.reportJson().at("/hfiles/failed/files").longValue()).isPositive();
    assertThat(run.reportJson().get("booksClose").booleanValue()).isTrue();
  }
}
