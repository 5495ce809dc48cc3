package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.StorageException;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a part of a region, as a client of a live HBase would get them from the same files:
 * newest versions, without cells that were deleted or had expired when the snapshot was taken. Rows
 * come in key order and can be skipped by {@link #seek}. For one thread.
 *
 * <pre>
 *   while (peek()) {
 *     rowArray(), rowOffset(), rowLength()    the next row's key
 *     read(visitor)                           its cells; then continues with the row after it
 *     or seek(row)                            continues with a later row
 *   }
 * </pre>
 */
public interface RowReader extends Closeable {

  /**
   * Finds the next row.
   *
   * @return false when no row is left
   * @throws UnreadableBlockException when the block that begins here is corrupt
   * @throws IOException when storage fails
   */
  boolean peek() throws IOException;

  /** The array with the key of the row that {@link #peek} found, or that was read last. */
  byte[] rowArray();

  /** Index of the key's first byte. */
  int rowOffset();

  /** Length of the key, bytes. */
  int rowLength();

  /**
   * The corrupt block that may have further cells of the row that {@link #peek} found, although the
   * row itself can be read.
   *
   * @return null if the row is whole
   */
  default @Nullable UnreadableBlockException corruptPart() {
    return null;
  }

  /**
   * Reads the row that {@link #peek} found.
   *
   * @return number of cells that the visitor received; 0 when all are deleted or have expired
   * @throws UnreadableBlockException when the row's block is corrupt; the visitor's cells are then
   *     incomplete
   * @throws IOException when storage fails
   * @throws StorageException configuration, when a cell has visibility labels
   */
  int read(CellVisitor visitor) throws IOException;

  /**
   * Continues at the first row at or after {@code row}, which must be after the current row.
   *
   * @throws UnreadableBlockException when the block of that row is corrupt
   * @throws IOException when storage fails
   */
  void seek(byte[] row) throws IOException;

  /**
   * Continues after a corrupt block.
   *
   * @param failure thrown by {@link #peek}, {@link #read} or {@link #seek}
   * @return false when no row is left
   */
  boolean resumeAfter(UnreadableBlockException failure);

  @Override
  void close();
}
