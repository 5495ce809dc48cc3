package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.io.IOException;

/** Writes cells. Not thread-safe. */
public interface RowWriter extends Closeable {
  /**
   * Takes a cell; it is written at {@link #checkpoint()} at the latest.
   *
   * @param cell its key is not below the previous key; its arrays are not copied
   * @param stamp timestamp of the cell, milliseconds since the epoch
   * @throws JobException when a cell could not be written, this or one before
   */
  void write(EncodedRow cell, long stamp) throws IOException;

  /**
   * Returns when everything before it is written and acknowledged.
   *
   * @throws JobException when a cell could not be written
   */
  void checkpoint() throws IOException;

  /** Ends without a checkpoint: cells since the last checkpoint may be written or not. */
  @Override
  void close() throws IOException;
}
