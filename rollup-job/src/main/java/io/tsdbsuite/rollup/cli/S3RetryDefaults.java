package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.hbase.HadoopKeys;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * How long S3A tries again when S3 answers 503 SlowDown. By Hadoop's default, 20 times with waits
 * that double from 0.2 s, it would give up after more than two days: a job would hang, and say
 * nothing. With these it waits 1, 2, 4, ... 32 s, each half as long to half as long again, and
 * after each asks six times by way of the SDK. Then a task is tried again by Spark.
 */
final class S3RetryDefaults {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "fs.s3a.retry.throttle.limit", "6",
          "fs.s3a.retry.throttle.interval", "500ms",
          "fs.s3a.attempts.maximum", "5");

  private S3RetryDefaults() {}

  /** Sets what nobody has set. */
  static void apply(Configuration hadoop) {
    DEFAULTS.forEach(
        (key, value) -> {
          if (!HadoopKeys.isSet(hadoop, key)) {
            hadoop.set(key, value);
          }
        });
  }
}
