package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Starts Spark and explains failures of the start. */
final class SparkStart {
  private SparkStart() {}

  /**
   * Creates a context; the caller closes it.
   *
   * @throws JobException usage, when Spark refuses a setting; outside, when it cannot start
   */
  static JavaSparkContext of(SparkConf conf) {
    try {
      return new JavaSparkContext(conf);
    } catch (Exception e) {
      // Includes SparkException, which is checked but not declared by Scala.
      String why = StorageFailures.reason(e);
      throw isSetting(e)
          ? JobException.usage("Spark refuses its settings: " + why, e)
          : JobException.outside("Spark could not be started: " + why, e);
    }
  }

  private static boolean isSetting(Exception failure) {
    return failure instanceof IllegalArgumentException
        || String.valueOf(failure.getMessage()).startsWith("Could not parse Master URL");
  }
}
