package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.encoding.IndexBlockEncoding;

/**
 * The data block index of an open HFile. It is in HBase's package because the class of the index is
 * package-private.
 */
public final class DataBlockIndex {
  private final HFile.Reader reader;
  private final HFileBlockIndex.CellBasedKeyBlockIndexReader index;

  /** The index of {@code reader}, which is in memory since the HFile was opened. */
  public DataBlockIndex(HFile.Reader reader) {
    this.reader = reader;
    this.index = reader.getDataBlockIndexReader();
  }

  /** A step on the path from the root of the index to a data block. */
  @FunctionalInterface
  public interface Step {
    /**
     * Called for each block on the path.
     *
     * @param offset bytes from the start of the HFile to the block
     * @param onDiskSize its bytes, header included
     * @param type {@link BlockType#DATA} for the last
     * @return the block, to continue; null, to stop
     * @throws IOException when the block cannot be read
     */
    HFileBlock to(long offset, long onDiskSize, BlockType type) throws IOException;
  }

  /** Number of entries of the root level. */
  public int rootCount() {
    return index.getRootBlockCount();
  }

  /** The first key of the blocks below a root entry. */
  public Cell rootKey(int entry) {
    return index.getRootBlockKey(entry);
  }

  /**
   * Bytes from the start of the HFile to the block of a root entry. HBase's offsets are private,
   * but the path from the root to the entry's key begins with this block.
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

  /** Whether index blocks are written without encoding, HBase's default. */
  public boolean isPlain() {
    return reader.getFileContext().getIndexBlockEncoding() == IndexBlockEncoding.NONE;
  }

  /** Number of levels, the root included; 1 when the root points to data blocks. */
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
   * @throws IOException when {@code step} fails
   */
  public void descend(Cell key, Step step) throws IOException {
    try {
      index.loadDataBlockWithScanInfo(
          key, null, false, true, false, reader.getDataBlockEncoding(), new Walker(step));
    } catch (Ended e) {
      // The step returned null.
    }
  }

  /** Lets HBase's search of the index call a {@link Step}. */
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

  /** Stops the search; has no stack trace because it is not an error. */
  private static final class Ended extends IOException {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }
}
