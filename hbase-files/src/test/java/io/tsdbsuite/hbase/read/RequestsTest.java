package io.tsdbsuite.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.read.TestHFile.Contents;
import io.tsdbsuite.hbase.read.TestHFile.Format;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Adjacent blocks take one request; unwanted blocks are not read. */
class RequestsTest {
  private static final int ROWS = 20_000;
  private static final int BLOCK_BYTES = 2048;

  /** HBase's default for a leaf of the index, of which each range reads one. */
  private static final int INDEX_BLOCK_BYTES = 128 << 10;

  private static final byte[] EDGE = {};

  /** Opening: the end of the file, and what of its metadata lies before that. */
  private static final int OPENING = 8;

  @TempDir Path directory;

  private ReadSource source;
  private SnapshotFile file;

  private void write(String choice) throws IOException {
    Configuration conf = new Configuration();
    conf.set(RowReaders.CHOICE, choice);
    source = TestHFile.source(conf);
    Format format =
        new Format(
            Compression.Algorithm.NONE,
            DataBlockEncoding.NONE,
            BLOCK_BYTES,
            false,
            true,
            ChecksumType.CRC32C);
    file =
        TestHFile.write(
            source,
            directory.resolve("0123456789abcdef"),
            format,
            TestHFile.cells(Seed.random(), new Contents(0, ROWS, 0, 0), format));
  }

  /** Two ranges of a twentieth of the rows each. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "merge"})
  void aRangeIsOneRequest(String choice) throws IOException {
    write(choice);
    ReadTracker tracker = new ReadTracker();
    int rows = 0;
    try (RegionFiles files = RegionFiles.open(source, List.of(file), false, tracker);
        RowReader reader =
            RowReaders.open(
                source, files, TestHFile.row(4000), EDGE, false, RequestsTest::endOfRange)) {
      long opening = tracker.readCalls();
      long openingBytes = tracker.bytes();
      assertThat(opening).isLessThanOrEqualTo(OPENING);
      for (int range : new int[] {4000, 30_000}) {
        reader.seek(TestHFile.row(range));
        byte[] end = TestHFile.row(range + 2000);
        while (reader.peek()
            && new String(reader.rowArray(), reader.rowOffset(), 7, StandardCharsets.UTF_8)
                    .compareTo(new String(end, StandardCharsets.UTF_8))
                < 0) {
          RowLog.read(reader);
          rows++;
        }
      }
      assertThat(rows).isEqualTo(2000);
      // A range each; a block behind one, where it ends with its block.
      assertThat(tracker.readCalls() - opening).isLessThanOrEqualTo(4);
      assertThat(tracker.bytes() - openingBytes)
          .isLessThan(file.length() / 9 + 2 * INDEX_BLOCK_BYTES + 8 * BLOCK_BYTES);
    }
  }

  @Test
  void aSettingOfRegionServersStartsNoPrefetch() throws IOException {
    write("auto");
    source.conf().setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, true);
    assertThat(new CacheConfig(source.conf()).shouldPrefetchOnOpen()).isTrue();
    try (RegionFiles files = RegionFiles.open(source, List.of(file), false, new ReadTracker())) {
      assertThat(files.reaching(EDGE))
          .allSatisfy(store -> assertThat(store.getCacheConf().shouldPrefetchOnOpen()).isFalse())
          .hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWholeFileIsAFewRequests(boolean sequential) throws IOException {
    write("auto");
    ReadTracker tracker = new ReadTracker();
    int rows = 0;
    try (RegionFiles files = RegionFiles.open(source, List.of(file), sequential, tracker);
        RowReader reader =
            RowReaders.open(source, files, EDGE, EDGE, sequential, RequestsTest::endOfRange)) {
      while (reader.peek()) {
        RowLog.read(reader);
        rows++;
      }
    }
    assertThat(rows).isEqualTo(ROWS);
    // Twenty ranges without a gap: more and more is fetched at once.
    assertThat(tracker.readCalls()).isLessThanOrEqualTo(OPENING + 20);
    assertThat(tracker.bytes()).isLessThan(file.length() * 11 / 10);
  }

  private static byte[] endOfRange(byte[] row) {
    int number =
        row.length < 7 ? 0 : Integer.parseInt(new String(row, 1, 6, StandardCharsets.UTF_8));
    return TestHFile.row((number / 2000 + 1) * 2000);
  }
}
