package io.tsdbsuite.bulk.hbase;

import io.tsdbsuite.job.JobException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.util.Bytes;

/** Turns failures of HBase's client into exceptions that name the operation and the cause. */
public final class HBaseFailures {
  private HBaseFailures() {}

  /**
   * The exception to throw. It names the first row of a batch that failed.
   *
   * @param rule what should have been done, for example {@code table 'tsdb' must take rows}
   */
  public static JobException outside(String rule, Throwable failure) {
    return JobException.outside(rule + ", found: " + reason(failure), failure);
  }

  /**
   * The message of the innermost cause, one line without a stack trace; the outer layers only
   * repeat it.
   */
  public static String reason(Throwable failure) {
    String row = "";
    Throwable inner = failure;
    while (true) {
      Throwable next = inner.getCause();
      if (inner instanceof RetriesExhaustedWithDetailsException details
          && details.getNumExceptions() > 0) {
        next = details.getCause(0);
        row = "row " + Bytes.toStringBinary(details.getRow(0).getRow()) + ": ";
      }
      if (next == null || next == inner) {
        break;
      }
      inner = next;
    }
    String text = inner.getMessage();
    if (text == null || text.isBlank()) {
      return row + inner.getClass().getSimpleName();
    }
    // The message of a remote exception contains its stack trace.
    return row + text.lines().findFirst().orElse(text).strip();
  }
}
