package io.tsdbsuite.job.hbase;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Retry defaults of S3A for 503 SlowDown. With Hadoop's default, 20 retries with waits that double
 * from 0.2 s, a job would hang silently for more than two days. With these defaults S3A waits 1, 2,
 * 4, ... 32 s, each with a jitter of 50 %, and the SDK sends six requests after each wait. Then the
 * read fails, and Spark retries the task of a job.
 */
public final class S3RetryDefaults {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "fs.s3a.retry.throttle.limit", "6",
          "fs.s3a.retry.throttle.interval", "500ms",
          "fs.s3a.attempts.maximum", "5");

  private S3RetryDefaults() {}

  /** Sets the properties that the user has not set. */
  public static void apply(Configuration hadoop) {
    DEFAULTS.forEach(
        (key, value) -> {
          if (!HadoopKeys.isSet(hadoop, key)) {
            hadoop.set(key, value);
          }
        });
  }
}
