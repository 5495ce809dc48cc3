package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import java.util.Arrays;
import java.util.List;

/**
 * How much of a store file is in the window, by its index.
 *
 * @param file the store file
 * @param totalBytes bytes of its data blocks within the region, compressed
 * @param windowBytes of these, the bytes of blocks that can have rows of the window
 * @param estimatedRows rows in the blocks of the window
 * @param stretches the blocks of the window, in row order
 */
record FileExtent(
    SnapshotFile file,
    long totalBytes,
    long windowBytes,
    long estimatedRows,
    List<Stretch> stretches) {

  /**
   * Whether the file can have rows of the window before a row.
   *
   * @param row empty for the end of the table
   */
  boolean hasRowsBefore(byte[] row) {
    return !stretches.isEmpty()
        && (row.length == 0 || Arrays.compareUnsigned(stretches.get(0).row(), row) < 0);
  }

  /** Blocks below one index entry: the row that they begin with, and their bytes. */
  record Stretch(byte[] row, long bytes) {}
}
