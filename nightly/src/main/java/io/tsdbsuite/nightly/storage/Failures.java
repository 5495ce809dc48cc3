package io.tsdbsuite.nightly.storage;

import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;

/** Failures of HBase and of Hadoop's file systems. */
public final class Failures {
  /** Lines of a server's stack trace, which HBase and HDFS send as part of a message. */
  private static final String TRACE = "\\R\\s+at [^\r\n]*";

  private Failures() {}

  /**
   * The exception for a failure: usage if a Kerberos ticket or a right is missing, because a retry
   * cannot help; otherwise outside.
   *
   * @param what the beginning of the message
   */
  public static JobException of(String what, IOException failure) {
    String reason = AccessFailures.reason(failure);
    return reason == null
        ? JobException.outside(
            what + ": " + StorageFailures.describe(failure).replaceAll(TRACE, ""), failure)
        : JobException.usage(what + ": " + reason, failure);
  }
}
