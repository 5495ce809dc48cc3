package io.tsdbsuite.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.read.TestHFile.Contents;
import io.tsdbsuite.hbase.read.TestHFile.Format;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotRowsTest {
  private static final int ROWS = 400;
  private static final int ROUNDS = 40;
  private static final byte[] EDGE = {};

  private final Random random = Seed.random();
  private final SortedSet<String> truth = new TreeSet<>();

  @TempDir Path directory;

  /** Rows have even numbers; the table is divided between rows and at rows. */
  @BeforeEach
  void write() throws IOException {
    Format format = Format.random(random);
    List<KeyValue> cells = TestHFile.cells(random, new Contents(0, ROWS, 0, 0), format);
    List<byte[]> splits =
        List.of(TestHFile.row(ROWS / 2), TestHFile.row(ROWS + 1), TestHFile.row(3 * ROWS));
    TestSnapshot.write(directory, "night", splits, format, cells);
    cells.forEach(cell -> truth.add(Bytes.toString(CellUtil.cloneRow(cell))));
    assertThat(truth).hasSize(ROWS);
  }

  private SnapshotRows open(byte[] startRow, byte[] stopRow) {
    String root = directory.toUri().toString();
    Snapshot snapshot = new SnapshotLoader(new Configuration(), root).load("night", "t");
    return new SnapshotRows("snapshot 'night'", snapshot, startRow, stopRow);
  }

  private List<String> read(byte[] startRow, byte[] stopRow) {
    List<String> read = new ArrayList<>();
    try (SnapshotRows rows = open(startRow, stopRow)) {
      Count count = new Count();
      while (rows.next(count)) {
        assertThat(count.cells).isPositive();
        read.add(Bytes.toString(rows.row()));
      }
      assertThat(rows.next(count)).isFalse();
    }
    return read;
  }

  /** The cells of one row. */
  private static final class Count implements CellVisitor {
    private int cells;

    @Override
    public void restart() {
      cells = 0;
    }

    @Override
    public void cell(byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, long timestamp) {
      cells++;
    }
  }

  @Test
  void allRegionsInOrder() {
    assertThat(read(EDGE, EDGE)).containsExactlyElementsOf(truth);
  }

  @Test
  void rangesAcrossRegions() {
    for (int i = 0; i < ROUNDS; i++) {
      byte[] start = TestHFile.row(random.nextInt(2 * ROWS));
      byte[] stop = TestHFile.row(random.nextInt(2 * ROWS));
      String from = Bytes.toString(start);
      String to = Bytes.toString(stop);
      assertThat(read(start, EDGE)).containsExactlyElementsOf(truth.tailSet(from));
      assertThat(read(EDGE, stop)).containsExactlyElementsOf(truth.headSet(to));
      assertThat(read(start, stop))
          .containsExactlyElementsOf(
              from.compareTo(to) < 0 ? truth.subSet(from, to) : new TreeSet<>());
    }
  }

  @Test
  void aCorruptBlockIsBadInput() throws IOException {
    for (Path hfile : hfiles()) {
      byte[] bytes = Files.readAllBytes(hfile);
      bytes[50] ^= 1;
      Files.write(hfile, bytes);
    }
    requireBadInput("is corrupt; export it again");
  }

  @Test
  void aTrailerThatMakesNoSenseIsBadInput() throws IOException {
    for (Path hfile : hfiles()) {
      byte[] bytes = Files.readAllBytes(hfile);
      bytes[bytes.length - 1] ^= 1;
      Files.write(hfile, bytes);
    }
    requireBadInput("is corrupt or truncated");
  }

  @Test
  void aMissingFileIsBadInput() throws IOException {
    for (Path hfile : hfiles()) {
      Files.delete(hfile);
    }
    requireBadInput("is not whole");
  }

  private void requireBadInput(String problem) {
    assertThatThrownBy(() -> read(EDGE, EDGE))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.BAD_INPUT))
        .hasMessageStartingWith("snapshot 'night'")
        .hasMessageContaining(problem);
  }

  private List<Path> hfiles() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("archive"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
