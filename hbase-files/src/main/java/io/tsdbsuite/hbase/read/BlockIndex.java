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
import org.jspecify.annotations.Nullable;

/**
 * The first keys of the data blocks of an HFile, from its index alone.
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
   * Finds the data block in which a row begins or would begin; for rows before the first row of the
   * file, the first block. The file must have a data block.
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
   * An entry of the index: a block, and its first key, or a key between that and the key before it.
   *
   * @param offset bytes from the start of the HFile to the block
   * @param onDiskSize its bytes, header included
   */
  record Entry(long offset, long onDiskSize, Cell key) {}

  /**
   * The entries of the level above the leaves, in row order. They point to leaf index blocks, or to
   * data blocks if the index has one level. Large files have further levels above it, and only the
   * root is in memory. If these levels are encoded or cannot be read, the result is the root's
   * entries.
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

  /** Receives the entries of data blocks, in row order. */
  @FunctionalInterface
  interface Visitor {
    void visit(Entry block) throws IOException;
  }

  /**
   * Whether {@link #visitBlocks} can read the index: its blocks have no encoding, HBase's default.
   */
  boolean hasBlocks() {
    return index.levels() == 1 || index.isPlain();
  }

  /**
   * Visits the entry of each data block. Reads all blocks of the index, one at a time.
   *
   * @throws IOException when storage fails, or a block of the index is corrupt
   */
  void visitBlocks(Visitor visitor) throws IOException {
    visitBlocks(root(), index.levels(), visitor);
  }

  private void visitBlocks(List<Entry> level, int levels, Visitor visitor) throws IOException {
    for (Entry entry : level) {
      if (levels == 1) {
        visitor.visit(entry);
      } else {
        BlockType type = levels == 2 ? BlockType.LEAF_INDEX : BlockType.INTERMEDIATE_INDEX;
        visitBlocks(below(List.of(entry), type), levels - 1, visitor);
      }
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

  /** The entries of these index blocks. */
  private List<Entry> below(List<Entry> blocks, BlockType type) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (Entry block : blocks) {
      addAll(index.read(block.offset, block.onDiskSize, type).getBufferWithoutHeader(), entries);
    }
    return entries;
  }

  /**
   * The index key of the first data block that begins after {@code offset}; null when there is
   * none. If a leaf of the index is unreadable, the result is the key of the next entry.
   *
   * @throws IOException when storage fails
   */
  @Nullable Cell keyAfter(long offset, ReadTracker tracker) throws IOException {
    List<Entry> entries = aboveLeaves(tracker);
    int first = 0;
    while (first + 1 < entries.size() && entries.get(first + 1).offset <= offset) {
      first++;
    }
    // A leaf index block is after the data blocks that it lists: search the next one too.
    for (int i = first; i < Math.min(first + 2, entries.size()); i++) {
      Cell key = keyAfter(offset, entries.get(i));
      if (key != null) {
        return key;
      }
    }
    return first + 2 < entries.size() ? entries.get(first + 2).key : null;
  }

  private @Nullable Cell keyAfter(long offset, Entry entry) {
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
      // This leaf index block is corrupt; the caller continues with the next.
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

  /** The first row that is wholly in or after the block with the first key {@code key}. */
  static byte[] firstWholeRow(Cell key) {
    byte[] row = CellUtil.cloneRow(key);
    if (key.getFamilyLength() == 0 && key.getQualifierLength() == 0) {
      return row;
    }
    // The row may begin in the block before, so return the next row key.
    return Arrays.copyOf(row, row.length + 1);
  }
}
