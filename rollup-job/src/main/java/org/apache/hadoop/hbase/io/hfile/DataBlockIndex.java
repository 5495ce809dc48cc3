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
    FirstBlock first = new FirstBlock();
    try {
      descend(rootKey(entry), first);
    } catch (FirstBlock.Found found) {
      return found.offset;
    }
    throw new IOException("the index of " + reader.getPath() + " asks for no block");
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
   * Follows the index from the root to the data block of a key, asking {@code blocks} for each
   * block on the way, the data block last.
   *
   * @throws IOException what {@code blocks} throws
   */
  public void descend(Cell key, HFile.CachingBlockReader blocks) throws IOException {
    index.loadDataBlockWithScanInfo(
        key, null, false, true, false, reader.getDataBlockEncoding(), blocks);
  }

  /** Ends the way down at its first step. */
  private static final class FirstBlock implements HFile.CachingBlockReader {
    /** Carries the answer, and no stack trace because it is no error. */
    private static final class Found extends IOException {
      private static final long serialVersionUID = 1L;

      private final long offset;

      private Found(long offset) {
        this.offset = offset;
      }

      @Override
      public synchronized Throwable fillInStackTrace() {
        return this;
      }
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
        DataBlockEncoding expectedDataBlockEncoding)
        throws IOException {
      throw new Found(offset);
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
      throw new Found(offset);
    }
  }
}
