package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged files of a snapshot: named, counted, and never a wrong value. */
class CorruptInputIT {
  private static final Pattern RANGE =
      Pattern.compile("rows from (.*) up to (.*) cannot be rolled up");

  private final SmallData data = SmallData.get();
  private final SortedMap<RollupKey, RollupValues> everything =
      data.answers(SmallData.START, SmallData.END);
  private String reader = "auto";
  private Path root;

  /** A copy of the root, to be damaged. */
  @BeforeEach
  void copy() {
    Path original = Path.of(URI.create(SharedStack.get().hbase().rootDir()));
    root = TestFiles.directory("root");
    for (String part : List.of(".hbase-snapshot", "data", "archive")) {
      TestFiles.copy(original.resolve(part), root.resolve(part));
    }
  }

  private String rootUri() {
    return "file://" + root;
  }

  private Snapshot snapshot(String name, String family) {
    return new SnapshotLoader(new Configuration(), rootUri()).load(name, family);
  }

  private List<Path> hfiles(SnapshotRegion region) throws IOException {
    return new StoreFileResolver(snapshot(SmallData.DATA_SNAPSHOT, "t"))
        .resolve(region).stream().map(CorruptInputIT::path).toList();
  }

  private static Path path(SnapshotFile file) {
    return Path.of(new org.apache.hadoop.fs.Path(file.path()).toUri());
  }

  /** The largest HFile of the data table, which has rows of every day. */
  private Path hfile() throws IOException {
    Path largest = null;
    for (SnapshotRegion region : snapshot(SmallData.DATA_SNAPSHOT, "t").regions()) {
      for (Path file : hfiles(region)) {
        if (largest == null || Files.size(file) > Files.size(largest)) {
          largest = file;
        }
      }
    }
    return largest;
  }

  private JobRun run(String... more) {
    return hours(SmallData.START, SmallData.END, more);
  }

  private JobRun hours(long from, long to, String... more) {
    return new JobRun(TestFiles.directory("corrupt"))
        .json()
        .reader(reader)
        .with(data.input(rootUri()))
        .with(SmallData.window(from, to))
        .with(more)
        .run();
  }

  private static void requireStopped(JobRun run, String... parts) {
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err().lines())
        .as(run::everything)
        .hasSize(1)
        .allMatch(line -> line.startsWith("rollup-job: "));
    assertThat(run.err()).contains(parts).doesNotContain("\tat ");
    assertThat(run.output()).doesNotExist();
  }

  /** What was emitted is right, and what is missing lies in the ranges that the report names. */
  private void requireDoneButFor(JobRun run, Path file, SortedMap<RollupKey, RollupValues> expected)
      throws IOException {
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    JsonNode samples = report.at("/failedSamples/unreadableBlock");
    assertThat(report.at("/rows/failed/unreadableBlock").longValue())
        .isEqualTo(samples.size())
        .isPositive();
    SortedMap<RollupKey, RollupValues> missing = new TreeMap<>(expected);
    missing.keySet().removeAll(run.rollups().keySet());
    SortedMap<RollupKey, RollupValues> rest = new TreeMap<>(expected);
    rest.keySet().removeAll(missing.keySet());
    assertThat(RollupDiff.of(rest, run.rollups())).isEmpty();
    assertThat(missing).hasSizeBetween(1, expected.size() / 4);
    for (JsonNode sample : samples) {
      assertThat(sample.textValue()).contains(file.toString(), "offset");
      missing.keySet().removeIf(key -> isInRange(data.row(key), sample.textValue()));
    }
    assertThat(missing).isEmpty();
  }

  private static boolean isInRange(byte[] row, String sample) {
    Matcher range = RANGE.matcher(sample);
    assertThat(range.find()).as(sample).isTrue();
    byte[] from = Bytes.toBytesBinary(range.group(1));
    return Arrays.compareUnsigned(row, from) >= 0
        && (range.group(2).startsWith("the end")
            || Arrays.compareUnsigned(row, Bytes.toBytesBinary(range.group(2))) < 0);
  }

  @Test
  void truncatedHFile() throws Exception {
    Path file = hfile();
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 100));
    requireStopped(
        run("--max-failed-rows=1000000"),
        file.toString(),
        "has " + (bytes.length - 100) + " bytes",
        "says " + bytes.length);
  }

  /** It was written before the family changed its compression, or moved from another cluster. */
  @Test
  void anHFileOfACodecThatIsNotThereIsNoDamage() throws Exception {
    Path file = hfile();
    new HFileDamage(file).brotli();
    JobRun run = run("--max-failed-blocks=1000");
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(file.toString(), "BROTLI", "no codec").doesNotContain("corrupt");
  }

  @Test
  void deletedHFile() throws Exception {
    Path file = hfile();
    Files.delete(file);
    requireStopped(
        run("--max-failed-rows=1000000"), file.getFileName().toString(), file.toString());
  }

  @Test
  void hfilesOutsideTheWindowAreNotOpened() throws Exception {
    int deleted = 0;
    for (SnapshotRegion region : snapshot(SmallData.DATA_SNAPSHOT, "t").regions()) {
      byte[] start = region.startKey();
      if (start.length > 0 && start[2] == 3 && region.endKey()[2] == 3) {
        for (Path file : hfiles(region)) {
          Files.delete(file);
          deleted++;
        }
      }
    }
    assertThat(deleted).isEqualTo(2);
    JobRun run = hours(SmallData.FROM, SmallData.TO);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    assertThat(RollupDiff.of(data.answers(SmallData.FROM, SmallData.TO), run.rollups())).isEmpty();
  }

  /** With the checksum files that Hadoop's local file system writes, and without, as on S3. */
  @ParameterizedTest
  @CsvSource({"auto, false", "auto, true", "merge, false", "merge, true"})
  void flippedByteInADataBlock(String choice, boolean fileSystemChecksums) throws Exception {
    reader = choice;
    Path file = hfile();
    if (fileSystemChecksums) {
      writeChecksums(file);
    }
    HFileDamage damage = new HFileDamage(file);
    int block = damage.middle(HFileDamage.DATA_BLOCK);
    damage.flip(block + HFileDamage.BLOCK_HEADER + 200);
    requireStopped(
        run("--max-failed-rows=1000000"),
        "1 block of HFiles is corrupt, 0 are allowed (--max-failed-blocks)",
        file.toString(),
        "offset ");
    if (!fileSystemChecksums) {
      requireStopped(run(), "offset " + block);
    }
    requireDoneButFor(run("--max-failed-blocks=5"), file, everything);
    JobRun dry = run("--dry-run");
    assertThat(dry.exitCode()).as(dry::everything).isEqualTo(ExitCode.DONE);
  }

  /** No day is emitted of a series that could have a row in the block, and every other one is. */
  @ParameterizedTest
  @CsvSource({"auto, 0.001", "auto, 256", "merge, 0.001", "merge, 256"})
  void corruptBlocksInDays(String choice, String partitionSize) throws Exception {
    reader = choice;
    HFileDamage damage = new HFileDamage(hfile());
    List<Integer> blocks = damage.blocks(HFileDamage.DATA_BLOCK);
    for (int third = 1; third <= 3; third++) {
      damage.flip(blocks.get(blocks.size() * third / 4) + HFileDamage.BLOCK_HEADER + 200);
    }
    JobRun run =
        run("--max-failed-blocks=6", "--interval=1h,1d", "--partition-size=" + partitionSize);
    assertThat(run.exitCode()).as(run::everything).isEqualTo(ExitCode.DONE);
    JsonNode report = run.reportJson();
    JsonNode samples = report.at("/failedSamples/unreadableBlock");
    // Once more where a partition begins within such a block.
    assertThat(samples.size()).isBetween(3, 5);
    SortedMap<RollupKey, RollupValues> days = data.days(SmallData.START, SmallData.END);
    int all = days.size();
    days.keySet().removeIf(day -> couldHaveLostARow(day, samples));
    assertThat(all - days.size()).isPositive();
    assertThat(RollupDiff.of(days, run.rollups("1d"))).isEmpty();
    assertThat(report.at("/days/emitted").intValue()).isEqualTo(days.size());
    assertThat(report.at("/days/failed/incompleteDay").intValue()).isEqualTo(all - days.size());
    assertThat(report.get("booksClose").booleanValue()).isTrue();
    assertThat(report.at("/failedSamples/incompleteDay")).isNotEmpty();
  }

  private boolean couldHaveLostARow(RollupKey day, JsonNode samples) {
    for (int hour = 0; hour < 24; hour++) {
      byte[] row =
          data.row(
              new RollupKey(day.metric(), day.tags(), day.timestamp() + hour * SmallData.HOUR));
      for (JsonNode sample : samples) {
        if (isInRange(row, sample.textValue())) {
          return true;
        }
      }
    }
    return false;
  }

  private static void writeChecksums(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.delete(file);
    try (var out =
        FileSystem.getLocal(new Configuration())
            .create(new org.apache.hadoop.fs.Path(file.toUri()))) {
      out.write(bytes);
    }
    assertThat(file.resolveSibling("." + file.getFileName() + ".crc")).exists();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "merge"})
  void flippedByteInALeafOfTheIndex(String choice) throws Exception {
    reader = choice;
    Path file = hfile();
    HFileDamage damage = new HFileDamage(file);
    damage.flip(damage.middle(HFileDamage.LEAF_INDEX) + HFileDamage.BLOCK_HEADER + 20);
    requireStopped(run(), file.toString(), "offset ");
    JobRun reading = run("--max-failed-blocks=5");
    requireDoneButFor(reading, file, everything);
    // Reading on needs no index and meets the leaf behind its blocks; seeking asks the leaf itself.
    Matcher range =
        RANGE.matcher(reading.reportJson().at("/failedSamples/unreadableBlock").get(0).textValue());
    assertThat(range.find()).isTrue();
    long from = Bytes.toInt(Bytes.toBytesBinary(range.group(1)), 3) - 4 * SmallData.HOUR;
    long to = from + SmallData.HOUR;
    requireDoneButFor(hours(from, to, "--max-failed-blocks=5"), file, data.answers(from, to));
  }

  @ParameterizedTest
  @ValueSource(strings = {HFileDamage.ROOT_INDEX, HFileDamage.FILE_INFO, HFileDamage.TRAILER})
  void flippedByteAtTheEnd(String magic) throws Exception {
    Path file = hfile();
    HFileDamage damage = new HFileDamage(file);
    int header = magic.equals(HFileDamage.TRAILER) ? 0 : HFileDamage.BLOCK_HEADER;
    damage.flip(damage.blocks(magic).get(0) + header + 5);
    requireStopped(run("--max-failed-rows=1000000"), file.toString(), "corrupt");
  }

  /**
   * The trailer's fields have no checksum: some wrong bytes are harmless, none loses rows. Every
   * fourth byte; {@code make test-all} takes all.
   */
  @Test
  void flippedByteInTheFieldsOfTheTrailer() throws Exception {
    Path file = hfile();
    byte[] good = Files.readAllBytes(file);
    int fields = new HFileDamage(file).blocks(HFileDamage.TRAILER).get(0) + 8;
    for (int i = 0; i < 32; i += Seed.times(4, 1)) {
      Files.write(file, good);
      HFileDamage damage = new HFileDamage(file);
      damage.flip(fields + i, 1);
      JobRun run = run("--max-failed-rows=0");
      if (run.exitCode() == ExitCode.DONE) {
        assertThat(RollupDiff.of(everything, run.rollups())).as("byte %d", i).isEmpty();
      } else {
        requireStopped(run, file.toString());
      }
    }
  }

  @Test
  void unknownHFileVersion() throws Exception {
    Path file = hfile();
    new HFileDamage(file).flip((int) Files.size(file) - 1);
    requireStopped(run("--max-failed-rows=1000000"), file.toString(), "corrupt");
  }

  @Test
  void flippedByteInTheUids() throws Exception {
    Snapshot uids = snapshot(SmallData.UID_SNAPSHOT, "name");
    Path file = path(new StoreFileResolver(uids).resolve(uids.regions().get(0)).get(0));
    HFileDamage damage = new HFileDamage(file);
    damage.flip(damage.blocks(HFileDamage.DATA_BLOCK).get(0) + HFileDamage.BLOCK_HEADER + 40);
    requireStopped(
        run("--max-failed-rows=1000000"), SmallData.UID_SNAPSHOT, file.toString(), "offset ");
  }

  @ParameterizedTest
  @ValueSource(strings = {SmallData.DATA_SNAPSHOT, SmallData.UID_SNAPSHOT})
  void truncatedManifest(String snapshot) throws Exception {
    Path manifest = root.resolve(".hbase-snapshot").resolve(snapshot).resolve("data.manifest");
    byte[] bytes = Files.readAllBytes(manifest);
    Files.write(manifest, Arrays.copyOf(bytes, bytes.length / 2));
    requireStopped(run(), "'" + snapshot + "'", "corrupt");
  }

  @Test
  void snapshotWithoutManifest() throws Exception {
    Path directory = root.resolve(".hbase-snapshot").resolve(SmallData.DATA_SNAPSHOT);
    Files.delete(directory.resolve("data.manifest"));
    requireStopped(run(), SmallData.DATA_SNAPSHOT, "corrupt");
  }

  @Test
  void snapshotInfoThatIsNone() throws Exception {
    Path directory = root.resolve(".hbase-snapshot").resolve(SmallData.DATA_SNAPSHOT);
    Files.write(directory.resolve(".snapshotinfo"), new byte[] {9, 9, 9, 9, 9});
    requireStopped(run(), SmallData.DATA_SNAPSHOT, "corrupt");
  }
}
