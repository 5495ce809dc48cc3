package io.tsdbsuite.report.snapshot;

import io.tsdbsuite.report.model.ReportException;

/** Reads the snapshots under one root. */
public interface SnapshotReader {
  /**
   * When a snapshot was taken, ms since the epoch.
   *
   * @throws ReportException wrong use, when it is not there; failed, when it cannot be read
   */
  long time(String snapshot);

  /**
   * Opens columns of a range of rows.
   *
   * @param start the first key; empty for the table's first
   * @param stop after the last key; empty for the table's end
   * @throws ReportException wrong use, when the snapshot is not there; failed, when it cannot be
   *     read
   */
  SnapshotRows open(
      String snapshot, byte[] start, byte[] stop, byte[] family, byte[]... qualifiers);
}
