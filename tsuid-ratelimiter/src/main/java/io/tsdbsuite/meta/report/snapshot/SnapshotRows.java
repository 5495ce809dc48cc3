package io.tsdbsuite.meta.report.snapshot;

import io.tsdbsuite.meta.report.model.ReportException;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableSnapshotScanner;

/** The rows of one snapshot; its restored files are removed when it is closed. */
final class SnapshotRows implements Closeable {
  private final String snapshot;
  private final TableSnapshotScanner scanner;

  SnapshotRows(String snapshot, TableSnapshotScanner scanner) {
    this.snapshot = snapshot;
    this.scanner = scanner;
  }

  /**
   * The next row, null after the last.
   *
   * @throws ReportException when a file cannot be read
   */
  Result next() {
    try {
      return scanner.next();
    } catch (IOException | RuntimeException e) {
      throw ReportException.failed("snapshot " + snapshot + " cannot be read: " + e, e);
    }
  }

  @Override
  public void close() {
    scanner.close();
  }
}
