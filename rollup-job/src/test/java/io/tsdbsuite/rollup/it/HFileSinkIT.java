package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.Test;

/** HFiles of rollups, loaded, answer as the raw data does; what is not whole is not loaded. */
class HFileSinkIT {
  private static final long FROM = SmallData.FROM;
  private static final long TO = SmallData.TO;

  private final HBaseServer hbase = SharedStack.get().hbase();

  private static Path write(RollupStore store) throws IOException {
    Path directory = TestFiles.directory("hfile");
    JobRun run = store.job(directory, FROM, TO).run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    Path made = LoadRun.runDirectory(directory);
    assertThat(report.at("/output/hfileDir").textValue()).endsWith("/" + made.getFileName());
    assertThat(run.out()).contains("rollup-job load --hfile-dir file:" + made);
    return made;
  }

  private static JsonNode manifest(Path run) throws IOException {
    return new ObjectMapper()
        .readTree(Files.readString(run.resolve("manifest.json"), StandardCharsets.UTF_8));
  }

  private static List<Path> files(RollupStore store, Path run, String interval) throws IOException {
    String table = store.table(interval).replace(':', '=');
    try (Stream<Path> files = Files.list(run.resolve(table).resolve("t"))) {
      return files.sorted().toList();
    }
  }

  private List<Integer> storeFiles(String table) throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      List<Integer> counts = new ArrayList<>();
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, TableName.valueOf(table))) {
          counts.add(region.getStoreFileCount());
        }
      }
      return counts;
    }
  }

  private static void requireAnswers(RollupStore store, String... intervals) {
    for (String interval : intervals) {
      assertThat(
              RollupDiff.of(
                  store.rawAnswers(interval, FROM, TO), store.answers(interval, FROM, TO)))
          .as(interval)
          .isEmpty();
    }
  }

  @Test
  void oneFileForEachRegionAnswersAsTheRawData() throws Exception {
    String[] all = EveryInterval.ALL.toArray(String[]::new);
    try (RollupStore store = RollupStore.start("hf-plain", all)) {
      Path run = write(store);
      long cells = 0;
      for (String interval : all) {
        assertThat(files(store, run, interval)).hasSize(RollupStore.REGIONS);
        assertThat(run.resolve(store.table(interval)).resolve("_writing")).doesNotExist();
        cells += 4L * store.rawAnswers(interval, FROM, TO).size();
      }
      assertThat(manifest(run).get("cells").asLong()).isEqualTo(cells);
      // The newest snapshot wins, not the run that was the last to begin.
      assertThat(Instant.ofEpochMilli(manifest(run).get("cellTimestamp").asLong()))
          .hasToString(manifest(run).at("/snapshots/--data-snapshot").textValue());

      LoadRun dry = LoadRun.of(run, store.configFile(), "--dry-run");
      assertThat(dry.exitCode()).as(dry::everything).isEqualTo(ExitCode.DONE);
      assertThat(dry.everything())
          .contains(store.table(all[0]))
          .contains("dry run            nothing was loaded or written");
      requireStoreFiles(store, 0, all);

      LoadRun load = LoadRun.of(run, store.configFile());
      assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
      requireStoreFiles(store, 1, all);
      requireAnswers(store, all);
      requireBooks(load.reportJson(), cells, all);

      LoadRun again = LoadRun.of(run, store.configFile());
      assertThat(again.exitCode()).as(again::everything).isEqualTo(ExitCode.DONE);
      assertThat(again.everything()).contains("nothing is left");
      assertThat(again.reportJson().get("loadedBefore").booleanValue()).isTrue();
      assertThat(again.reportJson().get("booksClose").booleanValue()).isTrue();
      requireStoreFiles(store, 1, all);

      // The same day again replaces what is there, with another file and no other cells.
      Path second = write(store);
      LoadRun replaced = LoadRun.of(second, store.configFile());
      assertThat(replaced.exitCode()).as(replaced::everything).isEqualTo(ExitCode.DONE);
      requireStoreFiles(store, 2, all);
      requireAnswers(store, all);
    }
  }

  private static void requireBooks(JsonNode report, long cells, String... intervals) {
    assertThat(report.get("exitCode").intValue()).isZero();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.get("cells").longValue()).isEqualTo(cells);
    long found = 0;
    for (int i = 0; i < intervals.length; i++) {
      JsonNode table = report.get("tables").get(i);
      assertThat(table.get("interval").textValue()).isEqualTo(intervals[i]);
      assertThat(table.at("/files/loaded").intValue()).isEqualTo(RollupStore.REGIONS);
      assertThat(table.at("/storeFilesBefore/files").intValue()).isZero();
      assertThat(table.at("/storeFilesAfter/mostInOneRegion").intValue()).isEqualTo(1);
      found += table.at("/cells/found").longValue();
    }
    assertThat(found).isEqualTo(cells);
  }

  private void requireStoreFiles(RollupStore store, int count, String... intervals)
      throws IOException {
    for (String interval : intervals) {
      assertThat(storeFiles(store.table(interval)))
          .as(interval)
          .hasSize(RollupStore.REGIONS)
          .containsOnly(count);
    }
  }

  /** Two runs over one snapshot have cells of one timestamp, here in the same rows. */
  @Test
  void halvesOfAWindowAreCountedApart() throws Exception {
    try (RollupStore store = RollupStore.start("hf-halves", "1h")) {
      long middle = FROM + (TO - FROM) / 7200 * 3600;
      for (long[] half : new long[][] {{FROM, middle}, {middle, TO}}) {
        Path directory = TestFiles.directory("hfile");
        JobRun job = store.job(directory, half[0], half[1]).run();
        assertThat(job.exitCode()).as(job::everything).isEqualTo(ExitCode.DONE);
        LoadRun load = LoadRun.of(LoadRun.runDirectory(directory), store.configFile());
        assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
        JsonNode cells = load.reportJson().at("/tables/0/cells");
        assertThat(cells.get("found")).isEqualTo(cells.get("written"));
      }
      requireAnswers(store, "1h");
    }
  }

  /**
   * Whose regions the job has, which cannot ask HBase, and of which one is split later; in a
   * namespace.
   */
  @Test
  void aSnapshotOfTheTableWillDo() throws Exception {
    try (RollupStore store = RollupStore.start("hf:snapshot", "1h")) {
      hbase.snapshot(store.table("1h"), "hf-snapshot-target");
      Path directory = TestFiles.directory("hfile");
      JobRun job =
          store.job(directory, FROM, TO).with("--target-snapshot=hf-snapshot-target").run();
      assertThat(job.exitCode()).as(job::everything).isEqualTo(ExitCode.DONE);
      Path run = LoadRun.runDirectory(directory);
      assertThat(files(store, run, "1h")).hasSize(RollupStore.REGIONS);
      hbase.split(store.table("1h"), HexFormat.of().parseHex("000003"));
      LoadRun load = LoadRun.of(run, store.configFile());
      assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
      assertThat(storeFiles(store.table("1h"))).hasSize(RollupStore.REGIONS + 1).containsOnly(1);
      requireAnswers(store, "1h");
      hbase.snapshot(store.table("1h"), "hf-snapshot-stored");
      JobRun verify =
          new JobRun(TestFiles.directory("verify"))
              .with("verify")
              .with(
                  "--snapshot-root=" + hbase.rootDir(),
                  "--data-snapshot=" + SmallData.DATA_SNAPSHOT,
                  "--uid-snapshot=" + SmallData.UID_SNAPSHOT,
                  "--tsd-config=" + store.configFile(),
                  "--against-snapshot=hf-snapshot-stored")
              .with(SmallData.window(FROM, TO))
              .run();
      assertThat(verify.exitCode()).as(verify::everything).isEqualTo(ExitCode.DONE);
    }
  }

  @Test
  void whatIsNotWholeIsNotLoaded() throws Exception {
    try (RollupStore store = RollupStore.start("hf-broken", "1h")) {
      Path run = write(store);
      Path file = files(store, run, "1h").get(0);
      byte[] bytes = Files.readAllBytes(file);

      Files.delete(file);
      refused(store, run, ExitCode.BAD_INPUT, file.getFileName() + " of the manifest must be");

      byte[] damaged = bytes.clone();
      damaged[bytes.length / 2] ^= 1;
      Files.write(file, damaged);
      refused(store, run, ExitCode.BAD_INPUT, "must have the CRC-32C");
      Files.write(file, bytes);

      Path foreign = Files.write(file.resolveSibling("someone-elses"), bytes);
      refused(store, run, ExitCode.BAD_INPUT, "someone-elses must be of the manifest");
      Files.delete(foreign);

      Path manifest = run.resolve("manifest.json");
      String json = Files.readString(manifest, StandardCharsets.UTF_8);
      Files.delete(manifest);
      // Hadoop's own checksum of the file on a local disk.
      Files.deleteIfExists(run.resolve(".manifest.json.crc"));
      refused(store, run, ExitCode.USAGE, "must be the directory of one run");
      Files.writeString(manifest, json.replace("\"format\" : 1", "\"format\" : 2"));
      refused(store, run, ExitCode.BAD_INPUT, "format must be 1, found 2");
      Files.writeString(manifest, json.substring(0, json.length() / 2));
      refused(store, run, ExitCode.BAD_INPUT, "manifest.json: ");
      Files.writeString(manifest, json);

      String cluster = "\"hbaseCluster\" : \"";
      assertThat(json).contains(cluster);
      Files.writeString(manifest, json.replace(cluster, cluster + "not-"));
      refused(store, run, ExitCode.USAGE, "the one for whose tables the run was made, not-");
      Files.writeString(manifest, json);

      Path config = run.getParent().resolveSibling("other_ids.json");
      Files.writeString(config, config("hf-broken", "{'sum':7,'count':2,'min':3,'max':4}"));
      LoadRun ids = LoadRun.of(run, store.configFile(), "--rollup-config=" + config);
      assertThat(ids.exitCode()).as(ids::everything).isEqualTo(ExitCode.USAGE);
      assertThat(ids.err()).contains("aggregationIds must have sum as 0, found 7");

      assertThat(hbase.cells(store.table("1h"))).as("nothing was loaded").isEmpty();
      LoadRun load = LoadRun.of(run, store.configFile());
      assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
      requireAnswers(store, "1h");
    }
  }

  private static String config(String tables, String ids) {
    return RollupStore.config(SmallData.TABLE, tables, ids, List.of("1h"));
  }

  private static void refused(RollupStore store, Path run, ExitCode code, String message)
      throws IOException {
    LoadRun load = LoadRun.of(run, store.configFile());
    assertThat(load.exitCode()).as(load::everything).isEqualTo(code);
    assertThat(load.err()).contains(message);
    JsonNode report = load.reportJson();
    assertThat(report.get("exitCode").intValue()).isEqualTo(code.code());
    assertThat(report.get("message").textValue()).contains(message);
    assertThat(report.get("booksClose").booleanValue()).isFalse();
  }

  /** As after a load that died between two of HBase's moves. */
  @Test
  void aLoadThatDiedIsRepeated() throws Exception {
    try (RollupStore store = RollupStore.start("hf-died", "1h")) {
      Path run = write(store);
      Path copy = TestFiles.directory("hf-died-copy");
      TestFiles.copy(run.resolve(store.table("1h")).resolve("t"), copy.resolve("t"));
      LoadRun first = LoadRun.of(run, store.configFile());
      assertThat(first.exitCode()).as(first::everything).isEqualTo(ExitCode.DONE);
      Path begun = run.resolve("_loading");
      String cluster = Files.readString(begun, StandardCharsets.UTF_8);
      Files.writeString(begun, "elsewhere");
      Files.deleteIfExists(run.resolve("._loading.crc"));
      refused(store, run, ExitCode.USAGE, "has begun to load it into, elsewhere, found " + cluster);
      Files.writeString(begun, cluster);
      Files.delete(run.resolve("_loaded"));
      // One file that HBase had not loaded, or had loaded without its removal from the directory.
      Path family = Files.createDirectories(run.resolve(store.table("1h")).resolve("t"));
      String name;
      try (Stream<Path> files = Files.list(copy.resolve("t"))) {
        name = files.sorted().findFirst().orElseThrow().getFileName().toString();
      }
      Files.copy(copy.resolve("t").resolve(name), family.resolve(name));
      LoadRun again = LoadRun.of(run, store.configFile());
      assertThat(again.exitCode()).as(again::everything).isEqualTo(ExitCode.DONE);
      assertThat(again.everything()).containsPattern("files loaded +1");
      requireAnswers(store, "1h");
    }
  }

  @Test
  void aMissingTableIsToldBeforeAnythingIsRead() throws Exception {
    SmallData data = SmallData.get();
    Path directory = TestFiles.directory("hfile");
    Path config = directory.resolve("none.json");
    Files.writeString(config, config("hf-nowhere", RollupStore.IDS));
    JobRun run =
        new JobRun(directory)
            .with(
                "--snapshot-root=" + hbase.rootDir(),
                "--data-snapshot=" + SmallData.DATA_SNAPSHOT,
                "--tsd-config=" + data.configFile(),
                "--rollup-config=" + config,
                "--sink=hfile",
                "--hfile-dir=" + directory.resolve("hfiles").toUri())
            .with(SmallData.window(FROM, TO))
            .run();
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("table hf-nowhere-1h", "must exist");
    assertThat(directory.resolve("hfiles")).doesNotExist();
  }
}
