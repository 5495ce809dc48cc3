package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.io.IOException;

/** Writes cells. One for each thread. */
public interface RowWriter extends Closeable {
  /**
   * Takes a cell; when it is written is open until {@link #checkpoint()}.
   *
   * @param cell its key not below that of the cell before; its arrays are not copied
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

  /** Ends without a checkpoint: what was taken since the last one may be written or not. */
  @Override
  void close() throws IOException;
}
