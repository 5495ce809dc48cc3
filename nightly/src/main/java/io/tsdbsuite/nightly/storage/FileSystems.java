package io.tsdbsuite.nightly.storage;

import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.net.UnknownHostException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Hadoop's file systems, and failures of them and of HBase. */
public final class FileSystems {
  /** Lines of a server's stack trace, which HBase and HDFS send as part of a message. */
  private static final String TRACE = "\\R\\s+at [^\r\n]*";

  private FileSystems() {}

  /**
   * The file system of a path.
   *
   * @throws IOException when it cannot be reached. HDFS throws an IllegalArgumentException for a
   *     host or a name service that it does not know; this is an IOException here
   */
  public static FileSystem of(Path path, Configuration hadoop) throws IOException {
    try {
      return path.getFileSystem(hadoop);
    } catch (IllegalArgumentException e) {
      if (e.getCause() instanceof UnknownHostException) {
        throw new IOException(
            ("the host or name service of %s is unknown; the directory HADOOP_CONF_DIR must"
                    + " have the cluster's core-site.xml and hdfs-site.xml")
                .formatted(path),
            e);
      }
      throw e;
    }
  }

  /**
   * The exception for a failure: usage if a Kerberos ticket or a right is missing, because a retry
   * cannot help; otherwise outside.
   *
   * @param what the beginning of the message
   */
  public static JobException failed(String what, IOException failure) {
    String reason = AccessFailures.reason(failure);
    return reason == null
        ? JobException.outside(
            what + ": " + StorageFailures.describe(failure).replaceAll(TRACE, ""), failure)
        : JobException.usage(what + ": " + reason, failure);
  }
}
