package io.tsdbsuite.rollup.job;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/** How many tasks can run at once at the most, which is how many share a rate. */
final class Concurrency {
  private Concurrency() {}

  /**
   * An upper bound: executors times slots where the configuration bounds the executors, else one
   * for each partition.
   */
  static int of(SparkContext spark, int partitions) {
    return Math.max(1, Math.min(partitions, slots(spark)));
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
