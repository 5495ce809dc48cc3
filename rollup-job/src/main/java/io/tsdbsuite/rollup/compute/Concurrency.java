package io.tsdbsuite.rollup.compute;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/** Number of concurrent tasks. The tasks of an executor share its heap. */
final class Concurrency {
  private Concurrency() {}

  /**
   * Returns the number of concurrent tasks in one executor; 0 when the settings do not define it.
   */
  static int perExecutor(SparkContext spark) {
    SparkConf conf = spark.getConf();
    if (spark.isLocal()) {
      return spark.defaultParallelism();
    }
    int cores = conf.getInt("spark.executor.cores", 0);
    return cores == 0 ? 0 : Math.max(1, cores / conf.getInt("spark.task.cpus", 1));
  }
}
