package io.tsdbsuite.report.model;

import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** A source of tsdb-meta rows and the tsdb-uid names that belong to them. */
public interface MetaSource extends Closeable {
  /** Receives batches of rows. */
  interface Batch {
    /**
     * Receives the next rows, in key order.
     *
     * @throws IOException when the report cannot be written
     */
    void rows(List<MetaRow> rows) throws IOException;
  }

  /** Names of the UIDs in the rows. */
  UidNames names();

  /**
   * Reference time of the rows, ms since the epoch: windows of days and hours end there.
   *
   * @param now the time now
   * @return now, or the creation time of the snapshot
   */
  long time(long now);

  /**
   * Reads all rows of a range, once.
   *
   * @param start first key, inclusive; empty for the start of the table
   * @param stop last key, exclusive; empty for the end of the table
   * @throws IOException from the batch
   * @throws JobException when the table cannot be read
   */
  void scan(byte[] start, byte[] stop, Batch batch) throws IOException;

  @Override
  void close();
}
