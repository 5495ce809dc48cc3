package io.tsdbsuite.hbase.read;

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

  /**
   * What an entry of the index points to, and the key that it begins with, or one between that and
   * the key before.
   *
   * @param offset bytes from the start of the HFile to the block
   * @param onDiskSize its bytes, header included
   */
  record Entry(long offset, long onDiskSize, Cell key) {}

  /**
   * The entries of the level above the leaves, which point to leaf index blocks, in row order; of
   * an index of one level they point to data blocks. Large files have levels above it, of which the
   * root alone is in memory. Where these are not written plainly, or cannot be read, the root's
   * entries stand for those below them.
   *
   * @throws IOException when storage fails
   */
  List<Entry> aboveLeaves(ReadTracker tracker) throws IOException {
    List<Entry> root = root();
    if (!index.isPlain()) {
      return root;
    }
    try {
      List<Entry> level = root;
      for (int levels = index.levels(); levels > 2; levels--) {
        level = below(level, BlockType.INTERMEDIATE_INDEX);
      }
      return level;
    } catch (IOException | RuntimeException | AssertionError e) {
      tracker.requireStorage(e);
      return root;
    }
  }

  private List<Entry> root() throws IOException {
    List<Entry> entries = new ArrayList<>(index.rootCount());
    for (int i = 0; i < index.rootCount(); i++) {
      Cell key = index.rootKey(i);
      index.descend(
          key,
          (offset, onDiskSize, type) -> {
            entries.add(new Entry(offset, onDiskSize, key));
            return null;
          });
    }
    return entries;
  }

  /** The entries of index blocks. */
  private List<Entry> below(List<Entry> blocks, BlockType type) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (Entry block : blocks) {
      addAll(index.read(block.offset, block.onDiskSize, type).getBufferWithoutHeader(), entries);
    }
    return entries;
  }

  /**
   * The index key of the first data block that begins after {@code offset}; null when there is
   * none. Where a leaf of the index is itself unreadable, the next entry's key stands for it.
   *
   * @throws IOException when storage fails
   */
  Cell keyAfter(long offset, ReadTracker tracker) throws IOException {
    List<Entry> entries = aboveLeaves(tracker);
    int first = 0;
    while (first + 1 < entries.size() && entries.get(first + 1).offset <= offset) {
      first++;
    }
    // A leaf index block lies behind the data blocks that it lists: look in the next one too.
    for (int i = first; i < Math.min(first + 2, entries.size()); i++) {
      Cell key = keyAfter(offset, entries.get(i));
      if (key != null) {
        return key;
      }
    }
    return first + 2 < entries.size() ? entries.get(first + 2).key : null;
  }

  private Cell keyAfter(long offset, Entry entry) {
    if (index.levels() > 1 && !index.isPlain()) {
      return null;
    }
    try {
      List<Entry> blocks =
          index.levels() > 1 ? below(List.of(entry), BlockType.LEAF_INDEX) : List.of(entry);
      for (Entry block : blocks) {
        if (block.offset > offset) {
          return block.key;
        }
      }
    } catch (IOException | RuntimeException | AssertionError e) {
      // The leaf index block is the corrupt one; the caller goes on to the next.
    }
    return null;
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
      entries.add(
          new Entry(
              leaf.getLong(entry),
              leaf.getInt(entry + Long.BYTES),
              new KeyValue.KeyOnlyKeyValue(key, 0, key.length)));
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
