package io.tsdbsuite.report.model;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** A tsdb-meta, and the tsdb-uid that has its names. */
public interface MetaSource extends Closeable {
  /** Takes rows. */
  interface Batch {
    /**
     * Takes the next rows, in the order of their keys.
     *
     * @throws IOException when the report cannot be written
     */
    void rows(List<MetaRow> rows) throws IOException;
  }

  /** The names. */
  UidNames names();

  /**
   * The time that the rows are of, ms since the epoch.
   *
   * @param now the time now
   * @return now, or when the snapshot was taken
   */
  long time(long now);

  /**
   * Reads all rows of a range, once.
   *
   * @param start the first key; empty for the table's first
   * @param stop after the last key; empty for the table's end
   * @throws IOException from the batch
   * @throws ReportException when the table cannot be read
   */
  void scan(byte[] start, byte[] stop, Batch batch) throws IOException;

  @Override
  void close();
}
