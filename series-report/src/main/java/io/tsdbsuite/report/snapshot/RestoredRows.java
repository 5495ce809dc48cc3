package io.tsdbsuite.report.snapshot;

import io.tsdbsuite.report.model.ReportException;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableSnapshotScanner;

/** The rows of one restored snapshot; {@code close} removes the restored files. */
final class RestoredRows implements SnapshotRows {
  private final String snapshot;
  private final TableSnapshotScanner scanner;

  RestoredRows(String snapshot, TableSnapshotScanner scanner) {
    this.snapshot = snapshot;
    this.scanner = scanner;
  }

  @Override
  public Result next() {
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
