package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.error.LoadException;
import org.apache.hadoop.util.VersionInfo;

/** Spark's Hadoop comes before the jar's, and the jar's S3A client wants a newer one. */
final class HadoopMismatch {
  private HadoopMismatch() {}

  /** What to tell the user. */
  static LoadException of(LinkageError e) {
    return LoadException.usage(
        "Hadoop "
            + VersionInfo.getVersion()
            + " on Spark's class path does not go together with the S3A client in the jar ("
            + e
            + "): for s3a:// put hadoop-aws of that version, with its AWS SDK, on the class path of"
            + " the driver and of executors (docs/bulk-loader.md, On Spark)");
  }
}
