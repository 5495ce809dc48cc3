package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ChecksumType;

/** HFiles of random cells, by HBase's own writer. */
final class TestHFile {
  private static final byte[] FAMILY = Bytes.toBytes("t");
  private static final KeyValue.Type[] DELETES = {
    KeyValue.Type.Delete, KeyValue.Type.DeleteColumn, KeyValue.Type.DeleteFamily
  };

  private TestHFile() {}

  /**
   * How a file is written.
   *
   * @param tags whether there is room for tags
   * @param sequence whether cells have sequence numbers
   */
  record Format(
      Compression.Algorithm compression,
      DataBlockEncoding encoding,
      int blockBytes,
      boolean tags,
      boolean sequence,
      ChecksumType checksum) {
    static Format random(Random random) {
      Codecs.install();
      Compression.Algorithm[] compressions = {
        Compression.Algorithm.NONE,
        Compression.Algorithm.NONE,
        Compression.Algorithm.SNAPPY,
        Compression.Algorithm.LZ4,
        Compression.Algorithm.ZSTD
      };
      return new Format(
          compressions[random.nextInt(compressions.length)],
          DataBlockEncoding.values()[random.nextInt(DataBlockEncoding.values().length)],
          64 << random.nextInt(8),
          random.nextBoolean(),
          random.nextBoolean(),
          ChecksumType.CRC32C);
    }
  }

  /**
   * What cells there are.
   *
   * @param rows from {@code first} on
   * @param deletes one of so many cells is a delete; 0 for none
   * @param tagged one of so many cells has a tag; 0 for none
   */
  record Contents(int first, int rows, int deletes, int tagged) {}

  static ReadSource source(Configuration conf) throws IOException {
    return new ReadSource(
        conf,
        FileSystem.getLocal(conf).getRawFileSystem(),
        ColumnFamilyDescriptorBuilder.of("t"),
        0);
  }

  static byte[] row(int number) {
    return Bytes.toBytes(String.format("r%06d", number));
  }

  /** Writes a file without the timestamps that a region server adds to the metadata. */
  static SnapshotFile write(
      ReadSource source, java.nio.file.Path file, Format format, List<KeyValue> cells)
      throws IOException {
    return write(source, file, format, cells, false);
  }

  /** Writes a file, with or without these timestamps. */
  static SnapshotFile write(
      ReadSource source,
      java.nio.file.Path file,
      Format format,
      List<KeyValue> cells,
      boolean timestamps)
      throws IOException {
    Path path = new Path(file.toUri());
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(source.conf())
            .withPath(source.fileSystem(), path)
            .withFileContext(
                new HFileContextBuilder()
                    .withCompression(format.compression)
                    .withDataBlockEncoding(format.encoding)
                    .withBlockSize(format.blockBytes)
                    .withIncludesTags(format.tags)
                    .withIncludesMvcc(format.sequence)
                    .withChecksumType(format.checksum)
                    .withHBaseCheckSum(true)
                    .build())
            .create()) {
      for (KeyValue cell : cells) {
        writer.append(cell);
      }
      if (timestamps) {
        writer.appendTrackedTimestampsToMetadata();
      }
    }
    return new SnapshotFile(
        path.getName(), path.toString(), Files.size(file), SnapshotFile.Half.WHOLE, null);
  }

  /** Cells in the order of an HFile, no key twice. */
  static List<KeyValue> cells(Random random, Contents contents, Format format) {
    List<KeyValue> cells = new ArrayList<>();
    for (int i = 0; i < contents.rows; i++) {
      byte[] row = row(contents.first + 2 * i);
      // Now and then a row that does not fit into a block.
      int columns = 1 + (random.nextInt(20) == 0 ? random.nextInt(60) : random.nextInt(4));
      List<KeyValue> ofRow = new ArrayList<>();
      for (int c = 0; c < columns; c++) {
        // A delete of a family has no qualifier. Behind a newer put without one, HBase's merge sees
        // it or not, depending on whether it seeks or skips to the next column; no TSD writes such.
        int least = contents.deletes > 0 ? 1 : 0;
        byte[] qualifier = new byte[least + random.nextInt(5 - least)];
        random.nextBytes(qualifier);
        for (int version = random.nextInt(3); version >= 0; version--) {
          ofRow.add(cell(random, contents, format, row, qualifier));
        }
      }
      ofRow.sort(CellComparatorImpl.COMPARATOR);
      Cell last = null;
      for (KeyValue cell : ofRow) {
        if (last == null || CellComparatorImpl.COMPARATOR.compare(last, cell) != 0) {
          cells.add(cell);
          last = cell;
        }
      }
    }
    return cells;
  }

  private static KeyValue cell(
      Random random, Contents contents, Format format, byte[] row, byte[] qualifier) {
    byte[] value = new byte[random.nextInt(8) == 0 ? 0 : random.nextInt(80)];
    random.nextBytes(value);
    long timestamp = 1_700_000_000_000L + random.nextInt(20);
    KeyValue.Type type = KeyValue.Type.Put;
    if (contents.deletes > 0 && random.nextInt(contents.deletes) == 0) {
      type = DELETES[random.nextInt(DELETES.length)];
      if (type == KeyValue.Type.DeleteFamily) {
        return new KeyValue(row, FAMILY, new byte[0], timestamp, type);
      }
    }
    List<Tag> tags = List.of();
    if (format.tags && contents.tagged > 0 && random.nextInt(contents.tagged) == 0) {
      tags = List.of(new ArrayBackedTag((byte) 100, "label"));
    }
    KeyValue cell = new KeyValue(row, FAMILY, qualifier, timestamp, type, value, tags);
    if (format.sequence) {
      cell.setSequenceId(random.nextInt(1 << (1 + random.nextInt(24))));
    }
    return cell;
  }
}
