package io.tsdbsuite.rollup.job;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/** How many tasks can run at once: those of an executor share its heap. */
final class Concurrency {
  private Concurrency() {}

  /** How many tasks run beside each other in one executor; 0 when the settings do not say. */
  static int perExecutor(SparkContext spark) {
    SparkConf conf = spark.getConf();
    if (spark.isLocal()) {
      return spark.defaultParallelism();
    }
    int cores = conf.getInt("spark.executor.cores", 0);
    return cores == 0 ? 0 : Math.max(1, cores / conf.getInt("spark.task.cpus", 1));
  }
}
