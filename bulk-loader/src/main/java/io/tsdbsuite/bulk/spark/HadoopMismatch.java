package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.job.JobException;
import java.util.Arrays;
import org.apache.hadoop.util.VersionInfo;

/** Spark's Hadoop comes before the jar's, and the jar's S3A client needs a newer one. */
final class HadoopMismatch {
  private HadoopMismatch() {}

  /** The failure for the user; a defect if no class of Hadoop or of its S3 client is involved. */
  static JobException of(LinkageError e) {
    if (!isOfHadoop(e)) {
      return Defects.of(e);
    }
    return JobException.usage(
        "Hadoop "
            + VersionInfo.getVersion()
            + " on Spark's class path is incompatible with the S3A client in the jar ("
            + e
            + "): for s3a:// put hadoop-aws of that version, with its AWS SDK, on the class path of"
            + " the driver and of executors (docs/bulk-loader.md, On Spark)");
  }

  private static boolean isOfHadoop(LinkageError e) {
    String text = String.valueOf(e.getMessage()).replace('/', '.');
    return text.contains("org.apache.hadoop")
        || text.contains("awssdk")
        || Arrays.stream(e.getStackTrace())
            .anyMatch(frame -> frame.getClassName().startsWith("org.apache.hadoop.fs"));
  }
}
