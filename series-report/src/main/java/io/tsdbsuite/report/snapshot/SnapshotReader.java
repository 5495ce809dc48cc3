package io.tsdbsuite.report.snapshot;

import io.tsdbsuite.report.model.ReportException;

/** Reads the snapshots under one root. */
public interface SnapshotReader {
  /**
   * Creation time of a snapshot, ms since the epoch.
   *
   * @throws ReportException wrong use, when it is missing; failed, when it cannot be read
   */
  long time(String snapshot);

  /**
   * Opens a range of rows, limited to the given columns.
   *
   * @param start first key, inclusive; empty for the start of the table
   * @param stop last key, exclusive; empty for the end of the table
   * @throws ReportException wrong use, when the snapshot is missing; failed, when it cannot be read
   */
  SnapshotRows open(
      String snapshot, byte[] start, byte[] stop, byte[] family, byte[]... qualifiers);
}
