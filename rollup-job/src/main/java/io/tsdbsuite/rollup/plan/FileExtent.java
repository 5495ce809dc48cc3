package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * The part of a store file that is in the window, according to the file's index.
 *
 * @param file the store file
 * @param totalBytes bytes of its data blocks within the region, compressed
 * @param windowBytes bytes of the blocks that can contain rows of the window, part of {@code
 *     totalBytes}
 * @param estimatedRows rows in the blocks of the window
 * @param stretches the blocks of the window, in row order
 */
public record FileExtent(
    SnapshotFile file,
    long totalBytes,
    long windowBytes,
    long estimatedRows,
    List<Stretch> stretches)
    implements Serializable {

  /**
   * Whether the file can contain rows of the window before {@code row}.
   *
   * @param row empty for the end of the table
   */
  boolean hasRowsBefore(byte[] row) {
    return !stretches.isEmpty()
        && (row.length == 0 || Arrays.compareUnsigned(stretches.get(0).row(), row) < 0);
  }

  /** The blocks below one index entry: their first row and their size in bytes. */
  public record Stretch(byte[] row, long bytes) implements Serializable {}
}
