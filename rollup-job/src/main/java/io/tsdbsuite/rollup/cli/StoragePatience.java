package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.rollup.uid.HadoopSettings;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * How long S3A tries again when S3 answers 503 SlowDown. Its own default, 20 times with a wait that
 * doubles from 1 s, ends after twelve days: a job would hang, and say nothing. These end after
 * about a minute, jitter and the tries of the SDK (each of its own five is one to S3A) apart; a
 * task is then tried again by Spark.
 */
final class StoragePatience {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "fs.s3a.retry.throttle.limit", "6",
          "fs.s3a.retry.throttle.interval", "500ms",
          "fs.s3a.attempts.maximum", "5");

  private StoragePatience() {}

  /** Sets what nobody has set. */
  static void apply(Configuration hadoop) {
    DEFAULTS.forEach(
        (key, value) -> {
          if (!HadoopSettings.isSet(hadoop, key)) {
            hadoop.set(key, value);
          }
        });
  }
}
