package io.tsdbsuite.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.read.TestHFile.Contents;
import io.tsdbsuite.hbase.read.TestHFile.Format;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random files, held against all of their cells. */
class ChangedRowsTest {
  private static final int FILES = 20;
  private static final int ROWS = 200;
  private static final byte[] EDGE = {};

  /** Times of {@link TestHFile} are from this on, twenty of them. */
  private static final long FIRST_TIME = 1_700_000_000_000L;

  @TempDir Path directory;

  private final ReadSource source;

  ChangedRowsTest() throws IOException {
    source = TestHFile.source(new Configuration());
  }

  /** Looks at rows from one on. */
  private static final class Log implements ChangedRows.Visitor {
    private final List<String> changed = new ArrayList<>();
    private final List<UnreadableBlockException> failures = new ArrayList<>();
    private final byte[] from;
    private final byte[] to;

    private Log(byte[] from, byte[] to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public byte[] enter(byte[] array, int offset, int length) {
      byte[] row = Arrays.copyOfRange(array, offset, offset + length);
      if (Arrays.compareUnsigned(row, from) < 0) {
        return from;
      }
      return Arrays.compareUnsigned(row, to) < 0 ? null : EDGE;
    }

    @Override
    public void changed(byte[] row, boolean deleted) {
      changed.add(new String(row, StandardCharsets.ISO_8859_1) + (deleted ? " deleted" : ""));
    }

    @Override
    public void unreadable(UnreadableBlockException failure) {
      failures.add(failure);
    }
  }

  private Log search(SnapshotFile file, byte[] start, long since, Log log) throws IOException {
    try (ChangedRows rows = new ChangedRows(source, file, new ReadTracker())) {
      rows.search(start, since, log);
    }
    return log;
  }

  @Test
  void findsPutsAndDeletes() throws IOException {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    for (int i = 0; i < FILES; i++) {
      String what = "seed " + seed + ", file " + i;
      Format format = Format.random(random);
      List<KeyValue> cells =
          TestHFile.cells(random, new Contents(0, ROWS, 5 * random.nextInt(2), 3), format);
      SnapshotFile file = TestHFile.write(source, directory.resolve("f" + i), format, cells);
      long since = FIRST_TIME + 15 + random.nextInt(6);
      byte[] from = TestHFile.row(random.nextInt(ROWS));
      byte[] to = TestHFile.row(ROWS + random.nextInt(2 * ROWS));
      Set<String> rows = new HashSet<>();
      TreeSet<String> expected = new TreeSet<>();
      for (KeyValue cell : cells) {
        byte[] row = CellUtil.cloneRow(cell);
        String text = new String(row, StandardCharsets.ISO_8859_1);
        if (cell.getTimestamp() >= since
            && Arrays.compareUnsigned(row, from) >= 0
            && Arrays.compareUnsigned(row, to) < 0
            && rows.add(text)) {
          boolean isPut = cell.getTypeByte() == KeyValue.Type.Put.getCode();
          expected.add(text + (isPut ? "" : " deleted"));
        }
      }
      Log log = search(file, EDGE, since, new Log(from, to));
      assertThat(log.failures).as(what).isEmpty();
      assertThat(log.changed).as(what).containsExactlyElementsOf(expected);
    }
  }

  @Test
  void deletesMakeNoFileOlder() throws IOException {
    Random random = Seed.random();
    for (int i = 0; i < FILES; i++) {
      Format format = Format.random(random);
      // Every second file has deletes alone.
      List<KeyValue> cells =
          TestHFile.cells(random, new Contents(0, 1 + random.nextInt(3), 1 + i % 2, 0), format);
      long expected = Long.MAX_VALUE;
      for (KeyValue cell : cells) {
        if (cell.getTypeByte() == KeyValue.Type.Put.getCode()) {
          expected = Math.min(expected, cell.getTimestamp());
        }
      }
      Path path = directory.resolve("d" + i);
      assertThat(oldestPut(TestHFile.write(source, path, format, cells, true)))
          .as("%s", cells)
          .isEqualTo(expected);
      Path without = directory.resolve("w" + i);
      assertThat(oldestPut(TestHFile.write(source, without, format, cells)))
          .as("metadata without it")
          .isEqualTo(Long.MIN_VALUE);
    }
  }

  private long oldestPut(SnapshotFile file) throws IOException {
    try (ChangedRows rows = new ChangedRows(source, file, new ReadTracker())) {
      return rows.oldestPut();
    }
  }

  @Test
  void aHalfHasItsRowsOnly() throws IOException {
    Random random = Seed.random();
    Format format = Format.random(random);
    List<KeyValue> cells = TestHFile.cells(random, new Contents(0, ROWS, 0, 0), format);
    SnapshotFile file = TestHFile.write(source, directory.resolve("half"), format, cells);
    byte[] split = TestHFile.row(ROWS);
    byte[] end = TestHFile.row(999_999);
    for (SnapshotFile.Half half : List.of(SnapshotFile.Half.TOP, SnapshotFile.Half.BOTTOM)) {
      SnapshotFile some = new SnapshotFile("a.b", file.path(), file.length(), half, split);
      boolean top = half == SnapshotFile.Half.TOP;
      Log log = search(some, top ? split : EDGE, 0, new Log(EDGE, end));
      assertThat(log.changed)
          .hasSize(ROWS / 2)
          .allMatch(row -> top == row.compareTo("r000" + ROWS) >= 0);
    }
  }

  @Test
  void aCorruptBlockCostsItsRows() throws IOException {
    Random random = Seed.random();
    Format format =
        new Format(
            Compression.Algorithm.NONE,
            DataBlockEncoding.NONE,
            1024,
            false,
            false,
            ChecksumType.CRC32C);
    List<KeyValue> cells = TestHFile.cells(random, new Contents(0, ROWS, 0, 0), format);
    Path path = directory.resolve("corrupt");
    SnapshotFile file = TestHFile.write(source, path, format, cells);
    Log whole = search(file, EDGE, 0, new Log(EDGE, TestHFile.row(999_999)));
    assertThat(whole.changed).hasSize(ROWS);
    try (RandomAccessFile bytes = new RandomAccessFile(path.toFile(), "rw")) {
      bytes.seek(file.length() / 2);
      int old = bytes.read();
      bytes.seek(file.length() / 2);
      bytes.write(old ^ 0x55);
    }
    Log log = search(file, EDGE, 0, new Log(EDGE, TestHFile.row(999_999)));
    assertThat(log.failures).hasSize(1);
    List<String> found = new ArrayList<>(log.changed);
    UnreadableBlockException failure = log.failures.get(0);
    whole.changed.stream()
        .filter(row -> !found.contains(row))
        .forEach(
            row -> {
              byte[] bytes = row.getBytes(StandardCharsets.ISO_8859_1);
              assertThat(Arrays.compareUnsigned(failure.firstRow(), bytes)).isLessThanOrEqualTo(0);
              assertThat(Arrays.compareUnsigned(bytes, failure.resumeRow())).isNegative();
            });
    assertThat(found).hasSizeBetween(ROWS / 2, ROWS - 1);
  }
}
