package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.jspecify.annotations.Nullable;

/**
 * The level of an HFile's index above the leaves: rows and their positions in the file.
 *
 * @param entries in row order
 * @param firstRow the first row of the file; null when the file is empty
 * @param lastRow the last row of the file; null when the file is empty
 * @param dataBytes bytes of the data and leaf index blocks, compressed
 * @param cells cells in the file
 * @param rows rows in the file, exact if the file has a row Bloom filter, else an upper bound
 */
public record HFileIndex(
    List<Entry> entries,
    byte @Nullable [] firstRow,
    byte @Nullable [] lastRow,
    long dataBytes,
    long cells,
    long rows) {

  /**
   * An entry of the index.
   *
   * @param row the first row of its first block, or a row between that and the row before it
   * @param bytes of the blocks up to the next entry, compressed
   */
  public record Entry(byte[] row, long bytes) {}

  /**
   * Reads the trailer, the index without its leaves, and the metadata of an HFile; no data block.
   *
   * @throws IOException when storage fails or the end of the file is corrupt
   */
  public static HFileIndex read(ReadSource source, SnapshotFile file, ReadTracker tracker)
      throws IOException {
    try (RegionFiles files = RegionFiles.open(source, List.of(file), false, tracker)) {
      StoreFileReader storeFile = files.open().get(0).store().getReader();
      HFile.Reader reader = storeFile.getHFileReader();
      storeFile.loadBloomfilter(BlockType.GENERAL_BLOOM_META, null);
      List<Entry> entries = entries(reader, tracker);
      return new HFileIndex(
          entries,
          reader.getFirstRowKey().orElse(null),
          reader.getLastRowKey().orElse(null),
          entries.stream().mapToLong(Entry::bytes).sum(),
          reader.getEntries(),
          storeFile.getFilterEntries());
    }
  }

  private static List<Entry> entries(HFile.Reader reader, ReadTracker tracker) throws IOException {
    List<BlockIndex.Entry> level = new BlockIndex(reader).aboveLeaves(tracker);
    int count = level.size();
    // A leaf index block is after the data blocks that it lists; without leaves, entries are data
    // blocks.
    boolean leaves = reader.getTrailer().getNumDataIndexLevels() > 1;
    long end = reader.getTrailer().getLoadOnOpenDataOffset();
    List<Entry> entries = new ArrayList<>(count);
    long from = 0;
    for (int i = 0; i < count; i++) {
      long to = end;
      if (leaves) {
        to = level.get(i).offset();
      } else if (i + 1 < count) {
        to = level.get(i + 1).offset();
      }
      entries.add(new Entry(CellUtil.cloneRow(level.get(i).key()), Math.max(0, to - from)));
      from = to;
    }
    return entries;
  }
}
