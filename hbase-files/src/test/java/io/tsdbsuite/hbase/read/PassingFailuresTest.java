package io.tsdbsuite.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.hbase.read.FaultyFileSystem.Fault;
import io.tsdbsuite.hbase.read.TestHFile.Contents;
import io.tsdbsuite.hbase.read.TestHFile.Format;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What storage does wrong once is never taken for a corrupt block. */
class PassingFailuresTest {
  private static final int ROWS = 200;
  private static final int PLACES = 40;
  private static final byte[] EDGE = {};

  /** The trailer, whose fields have no checksum. */
  private static final int TRAILER = 4096;

  @TempDir Path directory;

  private FaultyFileSystem fs;
  private List<SnapshotFile> files;
  private List<String> truth;

  @BeforeEach
  void write() throws IOException {
    fs = FaultyFileSystem.create();
    ReadSource source = source("auto");
    Random random = Seed.random();
    Format format =
        new Format(
            Compression.Algorithm.NONE,
            DataBlockEncoding.NONE,
            512,
            false,
            true,
            ChecksumType.CRC32C);
    files = new ArrayList<>();
    // Rows of the second follow those of the first.
    for (int i = 0; i < 2; i++) {
      Contents contents = new Contents(2 * i * ROWS, ROWS, 0, 0);
      files.add(
          TestHFile.write(
              source,
              directory.resolve("f" + i),
              format,
              TestHFile.cells(random, contents, format)));
    }
    truth = read("auto", new ReadTracker());
    assertThat(truth).hasSize(2 * ROWS);
  }

  private ReadSource source(String choice) {
    Configuration conf = new Configuration();
    conf.set(RowReaders.CHOICE, choice);
    conf.setInt("hfile.index.block.max.size", 512);
    return new ReadSource(conf, fs, ColumnFamilyDescriptorBuilder.of("t"), 0);
  }

  private List<String> read(String choice, ReadTracker tracker) throws IOException {
    ReadSource source = source(choice);
    List<String> rows = new ArrayList<>();
    try (RegionFiles opened = RegionFiles.open(source, files, false, tracker);
        RowReader reader = RowReaders.open(source, opened, EDGE, EDGE, false, ReadRanges.ALL)) {
      while (reader.peek()) {
        rows.add(RowLog.read(reader));
      }
    }
    return rows;
  }

  private long place(int number) {
    return (files.get(1).length() - TRAILER) * number / PLACES;
  }

  @ParameterizedTest
  @CsvSource({
    "auto, RUNTIME",
    "merge, RUNTIME",
    "auto, EOF",
    "merge, EOF",
    "auto, EARLY_END",
    "merge, EARLY_END"
  })
  void aFailureOfStorageIsOne(String choice, Fault fault) {
    for (int i = 0; i < PLACES; i++) {
      fs.fail(fault, place(i));
      ReadTracker tracker = new ReadTracker();
      assertThatThrownBy(() -> read(choice, tracker))
          .as("byte %d", place(i))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(UnreadableBlockException.class);
      assertThat(tracker.hasStorageFailed()).as("byte %d", place(i)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "merge"})
  void aWrongByteThatIsRightAgainCostsNothing(String choice) throws IOException {
    for (int i = 0; i < PLACES; i++) {
      fs.fail(Fault.WRONG_BYTE, place(i));
      ReadTracker tracker = new ReadTracker();
      assertThat(read(choice, tracker)).as("byte %d", place(i)).isEqualTo(truth);
      assertThat(fs.hasFailed()).isTrue();
      assertThat(tracker.hasStorageFailed()).isFalse();
    }
  }

  @Test
  void theSearchForChangedRowsReadsOnceMoreToo() throws IOException {
    for (int i = 0; i < PLACES; i++) {
      fs.fail(Fault.WRONG_BYTE, place(i));
      List<UnreadableBlockException> failures = new ArrayList<>();
      List<byte[]> changed = new ArrayList<>();
      try (ChangedRows rows = new ChangedRows(source("auto"), files.get(1), new ReadTracker())) {
        rows.search(
            EDGE,
            0,
            new ChangedRows.Visitor() {
              @Override
              public byte[] enter(byte[] array, int offset, int length) {
                return null;
              }

              @Override
              public void changed(byte[] row, boolean deleted) {
                changed.add(row);
              }

              @Override
              public void unreadable(UnreadableBlockException failure) {
                failures.add(failure);
              }
            });
      }
      assertThat(failures).as("byte %d", place(i)).isEmpty();
      assertThat(changed).hasSizeBetween(ROWS, ROWS + 1);
    }
  }

  /** A live HBase moves HFiles to its archive when it has compacted them. */
  private void move(String suffix) {
    files.replaceAll(
        file ->
            new SnapshotFile(
                file.name(), file.path() + suffix, file.length(), file.half(), null, file.path()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "merge"})
  void aFileThatWasMovedIsFound(String choice) throws IOException {
    move("-gone");
    assertThat(read(choice, new ReadTracker())).isEqualTo(truth);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "merge"})
  void aFileThatIsMovedWhileItIsReadIsFollowed(String choice) throws IOException {
    move("");
    for (int i = 0; i < PLACES; i++) {
      fs.fail(Fault.MOVED, place(i));
      ReadTracker tracker = new ReadTracker();
      assertThat(read(choice, tracker)).as("byte %d", place(i)).isEqualTo(truth);
      assertThat(fs.hasFailed()).isTrue();
      assertThat(tracker.hasStorageFailed()).as("byte %d", place(i)).isFalse();
    }
  }
}
