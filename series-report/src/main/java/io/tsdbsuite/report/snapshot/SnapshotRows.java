package io.tsdbsuite.report.snapshot;

import io.tsdbsuite.report.model.ReportException;
import org.apache.hadoop.hbase.client.Result;

/** The rows of one snapshot, in key order. */
public interface SnapshotRows extends AutoCloseable {
  /**
   * The next row, null after the last.
   *
   * @throws ReportException when a file cannot be read
   */
  Result next();

  @Override
  void close();
}
