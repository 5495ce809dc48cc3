package io.tsdbsuite.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index of HFiles that HBase's own writer made. */
class HFileIndexTest {
  private static final int BLOCK_BYTES = 256;

  @TempDir java.nio.file.Path directory;

  private HFileIndex write(int rows) throws IOException {
    return write(rows, new Configuration());
  }

  private HFileIndex write(int rows, Configuration conf) throws IOException {
    FileSystem fs = FileSystem.getLocal(conf).getRawFileSystem();
    Path path = new Path(directory.resolve("0123456789abcdef").toUri());
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(fs, path)
            .withFileContext(new HFileContextBuilder().withBlockSize(BLOCK_BYTES).build())
            .create()) {
      for (int i = 0; i < rows; i++) {
        byte[] row = Bytes.toBytes(String.format("row%05d", i));
        writer.append(
            new KeyValue(row, Bytes.toBytes("t"), Bytes.toBytes("q"), 1L, Bytes.toBytes(i)));
      }
    }
    return HFileIndex.read(source(conf), file(path), new ReadTracker());
  }

  private static ReadSource source(Configuration conf) throws IOException {
    return new ReadSource(
        conf,
        FileSystem.getLocal(conf).getRawFileSystem(),
        ColumnFamilyDescriptorBuilder.of("t"),
        0);
  }

  private SnapshotFile file(Path path) throws IOException {
    long length = Files.size(directory.resolve("0123456789abcdef"));
    return new SnapshotFile(path.getName(), path.toString(), length, SnapshotFile.Half.WHOLE, null);
  }

  @Test
  void anEmptyFileIsNoError() throws IOException {
    HFileIndex index = write(0);
    assertThat(index.entries()).isEmpty();
    assertThat(index.lastRow()).isNull();
    assertThat(index.cells()).isZero();
    assertThat(index.dataBytes()).isZero();
  }

  @Test
  void entriesCoverTheFileInRowOrder() throws IOException {
    requireEntries(write(1000));
  }

  /** HBase writes such indexes for files of some 10 GiB. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void anIndexOfSeveralLevelsDividesAsFinely(int levels) throws IOException {
    Configuration conf = new Configuration();
    conf.setInt("hfile.index.block.min.entries", 2);
    conf.setInt("hfile.index.block.max.size", levels == 3 ? 250 : 150);
    HFileIndex index = write(1000, conf);
    assertThat(levels()).isGreaterThanOrEqualTo(levels);
    requireEntries(index);
    // A leaf lists a dozen blocks at the most.
    assertThat(index.entries()).allMatch(entry -> entry.bytes() <= 12 * (BLOCK_BYTES + 100));
  }

  /** Also of an index of several levels; HBase shortens the key of a block. */
  @ParameterizedTest
  @ValueSource(ints = {128 << 10, 250, 150})
  void theDataBlocksAreVisited(int indexBytes) throws IOException {
    Configuration conf = new Configuration();
    conf.setInt("hfile.index.block.min.entries", 2);
    conf.setInt("hfile.index.block.max.size", indexBytes);
    HFileIndex index = write(1000, conf);
    List<String> keys = new ArrayList<>();
    List<String> first = new ArrayList<>();
    long[] bytes = {0};
    ReadTracker tracker = new ReadTracker();
    HFileIndex again =
        HFileIndex.readBlocks(
            source(conf),
            file(new Path(directory.resolve("0123456789abcdef").toUri())),
            tracker,
            (key, size, rows) -> {
              keys.add(Bytes.toString(key));
              first.add(Bytes.toString(rows.first()));
              bytes[0] += size;
            });
    assertThat(again.dataBytes()).isEqualTo(index.dataBytes());
    assertThat(bytes[0]).isBetween(index.dataBytes() / 2, index.dataBytes());
    assertThat(first).isSorted().doesNotHaveDuplicates().startsWith("row00000");
    assertThat(first).hasSizeBetween(index.entries().size(), 1000);
    for (int i = 1; i < first.size(); i++) {
      assertThat(keys.get(i)).isGreaterThan(first.get(i - 1)).isLessThanOrEqualTo(first.get(i));
    }
  }

  private int levels() throws IOException {
    Configuration conf = new Configuration();
    Path path = new Path(directory.resolve("0123456789abcdef").toUri());
    try (HFile.Reader reader =
        HFile.createReader(FileSystem.getLocal(conf).getRawFileSystem(), path, conf)) {
      return reader.getTrailer().getNumDataIndexLevels();
    }
  }

  private void requireEntries(HFileIndex index) throws IOException {
    assertThat(index.cells()).isEqualTo(1000);
    assertThat(index.entries()).hasSizeGreaterThan(10);
    List<String> rows = index.entries().stream().map(e -> Bytes.toString(e.row())).toList();
    assertThat(rows).isSorted().doesNotHaveDuplicates().startsWith("row00000");
    assertThat(Bytes.toString(index.lastRow())).isEqualTo("row00999");
    assertThat(index.entries()).allMatch(entry -> entry.bytes() > 0);
    assertThat(index.entries().stream().mapToLong(HFileIndex.Entry::bytes).sum())
        .isEqualTo(index.dataBytes())
        .isLessThan(Files.size(directory.resolve("0123456789abcdef")));
  }
}
