package io.tsdbsuite.rollup.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.DataBlockIndex;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;

/**
 * Which keys the data blocks of an HFile begin with, from its index alone.
 *
 * <pre>
 * non-root index block (HFile version 2 and 3), big-endian
 * +---------+-----------------------------+----------------------------------------+
 * | count 4 | secondary index (count+1)*4 | entries: offset 8 | size 4 | key bytes |
 * +---------+-----------------------------+----------------------------------------+
 * the secondary index has the start of each entry, and the end of the last, from the first entry on
 * </pre>
 */
final class BlockIndex {
  private static final int OFFSET_AND_SIZE = Long.BYTES + Integer.BYTES;

  private final HFile.Reader reader;
  private final DataBlockIndex index;

  BlockIndex(HFile.Reader reader) {
    this.reader = reader;
    this.index = new DataBlockIndex(reader);
  }

  /**
   * Finds the data block that a row begins in, or would begin in: rows before the first of the file
   * would in the first. There must be one.
   */
  void find(byte[] row, BlockPlace place) throws IOException {
    place.set(reader.getTrailer().getFirstDataBlockOffset(), -1);
    if (row.length > 0) {
      find(PrivateCellUtil.createFirstOnRow(row), place);
    }
  }

  /** Finds the last data block. */
  void findLast(BlockPlace place) throws IOException {
    place.set(reader.getTrailer().getLastDataBlockOffset(), -1);
    find(reader.getLastKey().orElseThrow(), place);
  }

  private void find(Cell key, BlockPlace place) throws IOException {
    index.descend(
        key,
        (offset, onDiskSize, type) -> {
          if (type == BlockType.DATA) {
            place.set(offset, onDiskSize);
            return null;
          }
          return index.read(offset, onDiskSize, type);
        });
  }

  /** A data block's place and the key that it begins with, or one between it and the one before. */
  private record Entry(long offset, Cell key) {}

  /**
   * The index key of the first data block that begins after {@code offset}; null when there is
   * none. Where a leaf of the index is itself unreadable, the next root entry's key stands for it.
   */
  Cell keyAfter(long offset) throws IOException {
    int entries = index.rootCount();
    int root = 0;
    while (root + 1 < entries && index.rootOffset(root + 1) <= offset) {
      root++;
    }
    // A leaf index block lies behind the data blocks that it lists: look in the next one too.
    for (int i = root; i < Math.min(root + 2, entries); i++) {
      Cell key = keyAfter(offset, i);
      if (key != null) {
        return key;
      }
    }
    return root + 2 < entries ? index.rootKey(root + 2) : null;
  }

  private Cell keyAfter(long offset, int root) {
    if (index.levels() > 1 && !index.isPlain()) {
      return null;
    }
    try {
      for (Entry entry : blocksBelow(root)) {
        if (entry.offset > offset) {
          return entry.key;
        }
      }
    } catch (IOException e) {
      // The leaf index block is the corrupt one; the caller goes on to the next.
    }
    return null;
  }

  /** The data blocks below a root entry, from the leaf index block that its own key leads to. */
  private List<Entry> blocksBelow(int root) throws IOException {
    Cell key = index.rootKey(root);
    List<Entry> entries = new ArrayList<>();
    index.descend(
        key,
        (offset, onDiskSize, type) -> {
          if (type == BlockType.DATA) {
            if (entries.isEmpty()) {
              entries.add(new Entry(offset, key));
            }
            return null;
          }
          HFileBlock block = index.read(offset, onDiskSize, type);
          if (type == BlockType.LEAF_INDEX) {
            addAll(block.getBufferWithoutHeader(), entries);
          }
          return block;
        });
    return entries;
  }

  private static void addAll(ByteBuff leaf, List<Entry> entries) {
    int start = leaf.position();
    int count = leaf.getInt(start);
    int secondary = start + Integer.BYTES;
    int first = secondary + (count + 1) * Integer.BYTES;
    for (int i = 0; i < count; i++) {
      int entry = first + leaf.getInt(secondary + i * Integer.BYTES);
      int end = first + leaf.getInt(secondary + (i + 1) * Integer.BYTES);
      byte[] key = new byte[end - entry - OFFSET_AND_SIZE];
      leaf.get(entry + OFFSET_AND_SIZE, key, 0, key.length);
      entries.add(new Entry(leaf.getLong(entry), new KeyValue.KeyOnlyKeyValue(key, 0, key.length)));
    }
  }

  /** The first row that lies wholly in or behind the block that {@code key} begins. */
  static byte[] firstWholeRow(Cell key) {
    byte[] row = CellUtil.cloneRow(key);
    if (key.getFamilyLength() == 0 && key.getQualifierLength() == 0) {
      return row;
    }
    // The row may begin in the block before: go past it.
    return Arrays.copyOf(row, row.length + 1);
  }
}
