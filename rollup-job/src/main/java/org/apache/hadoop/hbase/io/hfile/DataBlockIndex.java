package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;

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

  /** Bytes from the start of the HFile to the block that a root entry points to. */
  public long rootOffset(int entry) {
    return index.getRootBlockOffset(entry);
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
}
