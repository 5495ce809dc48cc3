package io.tsdbsuite.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.read.TestHFile.Contents;
import io.tsdbsuite.hbase.read.TestHFile.Format;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A corrupt block costs its rows, by name, and no other; no way of reading makes up a cell. */
class DamagedBlocksTest {
  private static final int ROUNDS = Seed.times(20, 60);
  private static final int ROWS = 200;
  private static final int HEADER = 33 + 4;
  private static final byte[] EDGE = {};

  @TempDir Path directory;

  /** What a reader made of a file. */
  private record Found(List<String> rows, List<UnreadableBlockException> failures) {}

  @ParameterizedTest
  @ValueSource(strings = {"auto", "merge"})
  void aFlippedBitCostsRowsOfItsBlock(String choice) throws IOException {
    ReadSource source = source(choice);
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    Path file = directory.resolve("0123456789abcdef");
    for (int i = 0; i < ROUNDS; i++) {
      Format format = Format.random(random);
      SnapshotFile written = write(source, random, file, format);
      List<String> truth = read(source, written).rows;
      int dataBytes = dataBytes(source, written);
      byte[] bytes = Files.readAllBytes(file);
      bytes[random.nextInt(dataBytes)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, bytes);

      Found found = read(source, written);

      String what = "seed " + seed + ", round " + i + ", " + format;
      List<String> missing = new ArrayList<>(truth);
      missing.removeAll(found.rows);
      assertThat(truth).as(what).containsAll(found.rows);
      assertThat(missing)
          .as(what)
          .allMatch(row -> found.failures.stream().anyMatch(failure -> covers(failure, row)));
    }
  }

  /**
   * Nothing tells that bytes are wrong where a file has no checksums, but no length leads astray.
   */
  @ParameterizedTest
  @ValueSource(strings = {"NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"})
  void lengthsAreHeldAgainstTheBlock(DataBlockEncoding encoding) throws IOException {
    ReadSource source = source("auto");
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    Path file = directory.resolve("0123456789abcdef");
    for (int i = 0; i < ROUNDS; i++) {
      Format format =
          new Format(
              Compression.Algorithm.NONE,
              encoding,
              512,
              false,
              random.nextBoolean(),
              ChecksumType.NULL);
      SnapshotFile written = write(source, random, file, format);
      int dataBytes = dataBytes(source, written);
      byte[] bytes = Files.readAllBytes(file);
      int header = 0;
      for (int at = 0; at < dataBytes; at++) {
        // HBase trusts the sizes in a block's header.
        header = bytes[at] == 'D' && bytes[at + 1] == 'A' ? at + HEADER : header;
        if (at >= header && random.nextInt(200) == 0) {
          bytes[at] = (byte) random.nextInt(256);
        }
      }
      Files.write(file, bytes);
      // It ends, with rows and failures, and with no other exception.
      assertThat(readDirectly(source, written)).as("seed " + seed).isPositive();
    }
  }

  @Test
  void theFailureNamesTheBlock() throws IOException {
    ReadSource source = source("auto");
    Path file = directory.resolve("0123456789abcdef");
    Random random = Seed.random();
    Format format =
        new Format(
            Compression.Algorithm.NONE,
            DataBlockEncoding.NONE,
            512,
            false,
            true,
            ChecksumType.CRC32C);
    SnapshotFile written = write(source, random, file, format);
    byte[] bytes = Files.readAllBytes(file);
    int block = Bytes.toString(bytes, 0, bytes.length).indexOf("DATABLK");
    assertThat(block).isZero();
    int second = indexOf(bytes, Bytes.toBytes("DATABLK"), 100);
    bytes[second + 60] ^= 1;
    Files.write(file, bytes);
    Found found = read(source, written);
    assertThat(found.failures).hasSize(1);
    assertThat(found.failures.get(0).offset()).isEqualTo(second);
    assertThat(found.failures.get(0)).hasMessageContaining(file.toString());
  }

  @Test
  void aBlockBelowAnIndexOfSeveralLevelsCostsNoMore() throws IOException {
    ReadSource source = source("auto");
    source.conf().setInt("hfile.index.block.min.entries", 2);
    source.conf().setInt("hfile.index.block.max.size", 150);
    Path file = directory.resolve("0123456789abcdef");
    Format format =
        new Format(
            Compression.Algorithm.NONE,
            DataBlockEncoding.NONE,
            512,
            false,
            true,
            ChecksumType.CRC32C);
    SnapshotFile written = write(source, Seed.random(), file, format);
    List<String> truth = read(source, written).rows;
    byte[] bytes = Files.readAllBytes(file);
    int middle = indexOf(bytes, Bytes.toBytes("DATABLK"), bytes.length / 2);
    bytes[middle + 60] ^= 1;
    Files.write(file, bytes);
    Found found = read(source, written);
    assertThat(found.failures).hasSize(1);
    assertThat(found.rows).hasSizeBetween(truth.size() - 10, truth.size() - 1);
  }

  private static int indexOf(byte[] bytes, byte[] wanted, int from) {
    int at = from;
    while (!Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
      at++;
    }
    return at;
  }

  private static ReadSource source(String choice) throws IOException {
    Configuration conf = new Configuration();
    conf.set(RowReaders.CHOICE, choice);
    return TestHFile.source(conf);
  }

  private static SnapshotFile write(ReadSource source, Random random, Path file, Format format)
      throws IOException {
    Files.deleteIfExists(file);
    Contents contents = new Contents(0, ROWS, 0, 0);
    return TestHFile.write(source, file, format, TestHFile.cells(random, contents, format));
  }

  private static int dataBytes(ReadSource source, SnapshotFile file) throws IOException {
    return Math.toIntExact(HFileIndex.read(source, file, new ReadTracker()).dataBytes());
  }

  private static boolean covers(UnreadableBlockException failure, String logged) {
    byte[] row = Bytes.toBytes(logged.substring(0, logged.indexOf(' ')));
    return Arrays.compareUnsigned(row, failure.firstRow()) >= 0
        && (failure.resumeRow().length == 0
            || Arrays.compareUnsigned(row, failure.resumeRow()) < 0);
  }

  /** Without HBase's merge, which may search for ever where rows do not ascend. */
  private static int readDirectly(ReadSource source, SnapshotFile file) throws IOException {
    int steps = 0;
    try (RegionFiles files = RegionFiles.open(source, List.of(file), false, new ReadTracker())) {
      DirectRows rows =
          new DirectRows(source, files, files.open().get(0), EDGE, EDGE, ReadRanges.ALL);
      boolean more = true;
      while (more) {
        steps++;
        try {
          more = rows.peek();
          if (more && rows.read(new RowLog()) == DirectRows.NOT_PLAIN) {
            byte[] row =
                Arrays.copyOfRange(
                    rows.rowArray(), rows.rowOffset(), rows.rowOffset() + rows.rowLength());
            rows.seek(Arrays.copyOf(row, row.length + 1));
          }
        } catch (UnreadableBlockException e) {
          rows.restartAt(e.resumeRow());
        }
      }
    }
    return steps;
  }

  private static Found read(ReadSource source, SnapshotFile file) throws IOException {
    Found found = new Found(new ArrayList<>(), new ArrayList<>());
    try (RegionFiles files = RegionFiles.open(source, List.of(file), false, new ReadTracker());
        RowReader reader = RowReaders.open(source, files, EDGE, EDGE, false, ReadRanges.ALL)) {
      boolean more = true;
      while (more) {
        try {
          more = reader.peek();
          if (more) {
            found.rows.add(RowLog.read(reader));
          }
        } catch (UnreadableBlockException e) {
          found.failures.add(e);
          more = reader.resumeAfter(e);
        }
      }
    }
    return found;
  }
}
