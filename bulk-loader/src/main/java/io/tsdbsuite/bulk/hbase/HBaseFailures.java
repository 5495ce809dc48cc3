package io.tsdbsuite.bulk.hbase;

import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.util.Bytes;

/** Turns failures of HBase's client into exceptions that name the operation and the cause. */
public final class HBaseFailures {
  private HBaseFailures() {}

  /**
   * The exception to throw: outside, or usage if HBase demands a ticket or a right. It names the
   * first row of a batch that failed.
   *
   * @param rule the operation that HBase must do, for example {@code table 'tsdb' must take rows}
   */
  public static JobException outside(String rule, Throwable failure) {
    String access = AccessFailures.reason(failure);
    return access == null
        ? JobException.outside(rule + ", found: " + reason(failure), failure)
        : JobException.usage(rule + ", found: " + access, failure);
  }

  /**
   * {@link StorageFailures#reason}, one line without a stack trace; with the first row of a batch
   * that failed.
   */
  public static String reason(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof RetriesExhaustedWithDetailsException details
          && details.getNumExceptions() > 0) {
        String row = Bytes.toStringBinary(details.getRow(0).getRow());
        return "row " + row + ": " + firstLine(details.getCause(0));
      }
    }
    return firstLine(failure);
  }

  /** The message of a remote exception contains its stack trace. */
  private static String firstLine(Throwable failure) {
    String text = StorageFailures.reason(failure);
    return text.lines().findFirst().orElse(text).strip();
  }
}
