package io.tsdbsuite.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.read.TestHFile.Contents;
import io.tsdbsuite.hbase.read.TestHFile.Format;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows straight from the blocks are those of HBase's merge: cell for cell, seek for seek. */
class RowReadersTest {
  private static final int FILES = Seed.times(10, 25);
  private static final int WALKS = 8;
  private static final int ROWS = 300;

  @TempDir Path directory;

  private final ReadSource direct;
  private final ReadSource merge;

  RowReadersTest() throws IOException {
    direct = TestHFile.source(new Configuration());
    Configuration conf = new Configuration();
    conf.set(RowReaders.CHOICE, "merge");
    merge = TestHFile.source(conf);
  }

  /** Deletes and tags: one of so many cells, 0 for none. */
  @ParameterizedTest
  @CsvSource({"0, 0", "0, 3", "4, 0", "600, 0", "50, 50"})
  void oneFile(int deletes, int tagged) throws IOException {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    for (int i = 0; i < FILES; i++) {
      Format format = Format.random(random);
      Contents contents = new Contents(0, ROWS, deletes, tagged);
      SnapshotFile file = write("f" + i, format, TestHFile.cells(random, contents, format));
      compare(random, List.of(file), "seed " + seed + ", file " + i + ": " + format);
    }
  }

  @Test
  void filesThatFollowOneAnother() throws IOException {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    for (int i = 0; i < FILES; i++) {
      List<SnapshotFile> files = new ArrayList<>();
      for (int part = 2; part >= 0; part--) {
        Format format = Format.random(random);
        Contents contents = new Contents(part * 200, 100, random.nextInt(2) * 70, 0);
        files.add(write("f" + i + "-" + part, format, TestHFile.cells(random, contents, format)));
      }
      compare(random, files, "seed " + seed + ", files " + i);
    }
  }

  /** What had not expired when the snapshot was taken is there, however late it is read. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "merge"})
  void cellsExpireByTheTimeOfTheSnapshot(String choice) throws IOException {
    Random random = Seed.random();
    Format format = Format.random(random);
    SnapshotFile file = write("ttl", format, cells(random, 0, ROWS, format));
    Configuration conf = new Configuration();
    conf.set(RowReaders.CHOICE, choice);
    // All cells have timestamps within the 20 ms after this one.
    long written = 1_700_000_000_000L;
    ReadSource whole = expiring(conf, written + 60_000);
    assertThat(walk(whole, List.of(file), random, 0))
        .isEqualTo(walk(direct, List.of(file), random, 0));
    ReadSource late = expiring(conf, written + 60_021);
    assertThat(walk(late, List.of(file), random, 0)).allMatch(row -> row.endsWith("[]"));
  }

  /** The same for cells with a TTL of their own, as {@code Put.setTTL} makes them. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "merge"})
  void cellsWithTheirOwnTtlExpireByTheTimeOfTheSnapshot(String choice) throws IOException {
    long written = 1_700_000_000_000L;
    List<KeyValue> cells = new ArrayList<>();
    for (int row = 0; row < 3; row++) {
      cells.add(withTtl(row, written + 1, 1000));
      cells.add(withTtl(row, written, row == 1 ? 9000 : 100));
    }
    Format format =
        new Format(
            Compression.Algorithm.NONE, DataBlockEncoding.NONE, 64, true, false, ChecksumType.NULL);
    SnapshotFile file = write("own-ttl", format, cells);
    Configuration conf = new Configuration();
    conf.set(RowReaders.CHOICE, choice);
    String newer = "00=@" + (written + 1);
    String older = "00=@" + written;
    assertThat(walk(at(conf, written + 1001), List.of(file), Seed.random(), 0))
        .containsExactly(
            "r000000 [" + newer + "]", "r000001 [" + newer + "]", "r000002 [" + newer + "]");
    assertThat(walk(at(conf, written + 1002), List.of(file), Seed.random(), 0))
        .containsExactly("r000000 []", "r000001 [" + older + "]", "r000002 []");
    assertThat(walk(at(conf, written + 9001), List.of(file), Seed.random(), 0))
        .containsExactly("r000000 []", "r000001 []", "r000002 []");
  }

  private static KeyValue withTtl(int row, long timestamp, long ttl) {
    return new KeyValue(
        TestHFile.row(row),
        Bytes.toBytes("t"),
        new byte[1],
        timestamp,
        KeyValue.Type.Put,
        new byte[0],
        List.of(new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(ttl))));
  }

  private static ReadSource at(Configuration conf, long snapshotTime) throws IOException {
    return new ReadSource(
        conf,
        FileSystem.getLocal(conf).getRawFileSystem(),
        ColumnFamilyDescriptorBuilder.of("t"),
        snapshotTime);
  }

  private static ReadSource expiring(Configuration conf, long snapshotTime) throws IOException {
    return new ReadSource(
        conf,
        FileSystem.getLocal(conf).getRawFileSystem(),
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("t")).setTimeToLive(60).build(),
        snapshotTime);
  }

  @Test
  void directIsUsedWhereItMayBe() throws IOException {
    Random random = Seed.random();
    Format format = Format.random(random);
    SnapshotFile first = write("a", format, cells(random, 0, 10, format));
    SnapshotFile second = write("b", format, cells(random, 20, 10, format));
    SnapshotFile overlapping = write("c", format, cells(random, 30, 10, format));
    SnapshotFile empty = write("d", format, List.of());
    assertThat(isDirect(first)).isTrue();
    assertThat(isDirect(second, first, empty)).isTrue();
    assertThat(isDirect(first, second, overlapping)).isFalse();
    assertThat(isDirect(empty)).isFalse();
    SnapshotFile half =
        new SnapshotFile(
            first.name(), first.path(), first.length(), SnapshotFile.Half.TOP, TestHFile.row(4));
    assertThat(isDirect(half)).isFalse();
  }

  @Test
  void theChoiceIsChecked() throws IOException {
    Configuration conf = new Configuration();
    conf.set(RowReaders.CHOICE, "fast");
    ReadSource source = TestHFile.source(conf);
    try (RegionFiles files = RegionFiles.open(source, List.of(), false, new ReadTracker())) {
      byte[] edge = {};
      assertThatThrownBy(() -> RowReaders.open(source, files, edge, edge, false, ReadRanges.ALL))
          .isInstanceOf(StorageException.class)
          .hasMessage("tsdbsuite.rollup.reader must be auto or merge, found fast");
    }
  }

  private static List<KeyValue> cells(Random random, int first, int rows, Format format) {
    return TestHFile.cells(random, new Contents(first, rows, 0, 0), format);
  }

  private boolean isDirect(SnapshotFile... some) throws IOException {
    byte[] edge = {};
    try (RegionFiles files = RegionFiles.open(direct, List.of(some), false, new ReadTracker());
        RowReader reader = RowReaders.open(direct, files, edge, edge, false, ReadRanges.ALL)) {
      return ((RereadRows) reader).current() instanceof PlainRows;
    }
  }

  private SnapshotFile write(String name, Format format, List<KeyValue> cells) throws IOException {
    return TestHFile.write(direct, directory.resolve(name), format, cells);
  }

  private void compare(Random random, List<SnapshotFile> files, String what) throws IOException {
    assertThat(walk(direct, files, Seed.random(), 0)).as(what).hasSizeGreaterThan(100);
    for (int walk = 0; walk < WALKS; walk++) {
      long seed = random.nextLong();
      int seeks = walk % 4;
      assertThat(walk(direct, files, new Random(seed), seeks))
          .as(what + ", walk " + seed)
          .isEqualTo(walk(merge, files, new Random(seed), seeks));
    }
  }

  /** Rows read and sought by chance; one of {@code seeks} steps is a seek. */
  private static List<String> walk(
      ReadSource source, List<SnapshotFile> some, Random random, int seeks) throws IOException {
    boolean whole = seeks == 0;
    byte[] start = whole || random.nextBoolean() ? new byte[0] : row(random, 0);
    byte[] stop = whole || random.nextBoolean() ? new byte[0] : row(random, ROWS);
    boolean sequential = random.nextBoolean();
    int width = random.nextInt(40);
    ReadRanges ranges = width < 5 ? ReadRanges.ALL : row -> TestHFile.row(number(row) + width);
    List<String> log = new ArrayList<>();
    try (RegionFiles files = RegionFiles.open(source, some, sequential, new ReadTracker());
        RowReader reader = RowReaders.open(source, files, start, stop, sequential, ranges)) {
      while (reader.peek()) {
        if (seeks > 0 && random.nextInt(seeks) == 0) {
          byte[] row =
              Arrays.copyOfRange(
                  reader.rowArray(), reader.rowOffset(), reader.rowOffset() + reader.rowLength());
          reader.seek(TestHFile.row(number(row) + 1 + random.nextInt(60)));
          log.add("seek");
        } else {
          log.add(RowLog.read(reader));
        }
      }
    }
    return log;
  }

  private static byte[] row(Random random, int from) {
    return TestHFile.row(from + random.nextInt(ROWS));
  }

  private static int number(byte[] row) {
    return row.length == 0 ? 0 : Integer.parseInt(new String(row, 1, 6, StandardCharsets.UTF_8));
  }
}
