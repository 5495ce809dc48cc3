package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.encoding.IndexBlockEncoding;

/**
 * The data block index of an open HFile. It lives in HBase's package because the class that holds
 * the index is visible there only.
 */
public final class DataBlockIndex {
  private final HFile.Reader reader;
  private final HFileBlockIndex.CellBasedKeyBlockIndexReader index;

  /** The index of {@code reader}, which is in memory since the HFile was opened. */
  public DataBlockIndex(HFile.Reader reader) {
    this.reader = reader;
    this.index = reader.getDataBlockIndexReader();
  }

  /** A step on the way from the root of the index to a data block. */
  @FunctionalInterface
  public interface Step {
    /**
     * Called for each block on the way.
     *
     * @param offset bytes from the start of the HFile to the block
     * @param onDiskSize its bytes, header included
     * @param type {@link BlockType#DATA} for the last
     * @return the block, to go on; null, to end here
     * @throws IOException when the block cannot be read
     */
    HFileBlock to(long offset, long onDiskSize, BlockType type) throws IOException;
  }

  /** Entries of the root level. */
  public int rootCount() {
    return index.getRootBlockCount();
  }

  /** The key that the blocks below a root entry begin with. */
  public Cell rootKey(int entry) {
    return index.getRootBlockKey(entry);
  }

  /**
   * Bytes from the start of the HFile to the block that a root entry points to. HBase keeps the
   * offsets to itself, but the way down from an entry's own key begins with its block.
   */
  public long rootOffset(int entry) throws IOException {
    long[] found = new long[1];
    descend(
        rootKey(entry),
        (offset, onDiskSize, type) -> {
          found[0] = offset;
          return null;
        });
    return found[0];
  }

  /** Whether blocks below the root are written plainly, as HBase does unless told otherwise. */
  public boolean isPlain() {
    return reader.getFileContext().getIndexBlockEncoding() == IndexBlockEncoding.NONE;
  }

  /** Levels, the root included; 1 when the root points to data blocks. */
  public int levels() {
    return reader.getTrailer().getNumDataIndexLevels();
  }

  /**
   * Reads a block of the index.
   *
   * @throws IOException when storage fails or the block is corrupt
   */
  public HFileBlock read(long offset, long onDiskSize, BlockType type) throws IOException {
    return reader.readBlock(
        offset, onDiskSize, true, true, false, true, type, reader.getDataBlockEncoding());
  }

  /**
   * Follows the index from the root towards the data block of a key.
   *
   * @throws IOException what {@code step} throws
   */
  public void descend(Cell key, Step step) throws IOException {
    try {
      index.loadDataBlockWithScanInfo(
          key, null, false, true, false, reader.getDataBlockEncoding(), new Walker(step));
    } catch (Ended e) {
      // The step has seen what it wanted.
    }
  }

  /** Lets HBase's way down call a {@link Step}. */
  private record Walker(Step step) implements HFile.CachingBlockReader {
    @Override
    public HFileBlock readBlock(
        long offset,
        long onDiskBlockSize,
        boolean cacheBlock,
        boolean pread,
        boolean isCompaction,
        boolean updateCacheMetrics,
        BlockType expectedBlockType,
        DataBlockEncoding expectedDataBlockEncoding)
        throws IOException {
      HFileBlock block = step.to(offset, onDiskBlockSize, expectedBlockType);
      if (block == null) {
        throw new Ended();
      }
      return block;
    }

    @Override
    public HFileBlock readBlock(
        long offset,
        long onDiskBlockSize,
        boolean cacheBlock,
        boolean pread,
        boolean isCompaction,
        boolean updateCacheMetrics,
        BlockType expectedBlockType,
        DataBlockEncoding expectedDataBlockEncoding,
        boolean cacheOnly)
        throws IOException {
      return readBlock(
          offset,
          onDiskBlockSize,
          cacheBlock,
          pread,
          isCompaction,
          updateCacheMetrics,
          expectedBlockType,
          expectedDataBlockEncoding);
    }
  }

  /** Ends the way down; carries no stack trace because it is no error. */
  private static final class Ended extends IOException {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }
}
