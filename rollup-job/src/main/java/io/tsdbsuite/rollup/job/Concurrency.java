package io.tsdbsuite.rollup.job;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/** How many tasks can run at once: those of the job share a rate, those of an executor its heap. */
final class Concurrency {
  private Concurrency() {}

  /**
   * An upper bound: executors times slots where the configuration bounds the executors, else one
   * for each partition.
   */
  static int of(SparkContext spark, int partitions) {
    return Math.max(1, Math.min(partitions, slots(spark)));
  }

  /** How many tasks run beside each other in one executor; 0 when the settings do not say. */
  static int perExecutor(SparkContext spark) {
    SparkConf conf = spark.getConf();
    if (spark.isLocal()) {
      return spark.defaultParallelism();
    }
    int cores = conf.getInt("spark.executor.cores", 0);
    return cores == 0 ? 0 : Math.max(1, cores / conf.getInt("spark.task.cpus", 1));
  }

  private static int slots(SparkContext spark) {
    SparkConf conf = spark.getConf();
    if (spark.isLocal()) {
      return spark.defaultParallelism();
    }
    boolean dynamic = conf.getBoolean("spark.dynamicAllocation.enabled", false);
    String executors =
        dynamic ? "spark.dynamicAllocation.maxExecutors" : "spark.executor.instances";
    if (!conf.contains(executors) || !conf.contains("spark.executor.cores")) {
      return Integer.MAX_VALUE;
    }
    long cpus = conf.getInt("spark.task.cpus", 1);
    long slots = (long) conf.getInt(executors, 1) * conf.getInt("spark.executor.cores", 1) / cpus;
    return (int) Math.min(slots, Integer.MAX_VALUE);
  }
}
