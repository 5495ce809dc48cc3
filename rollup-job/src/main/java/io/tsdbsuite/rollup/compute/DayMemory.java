package io.tsdbsuite.rollup.compute;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/** Limits the memory for the sums and points of days. The tasks of an executor share its heap. */
final class DayMemory {
  /**
   * Divisor of the heap. The rest is for the UID dictionary, the sink's buffers, blocks in use, and
   * Spark.
   */
  private static final int SHARE_OF_HEAP = 4;

  private DayMemory() {}

  /**
   * Returns the number of concurrent tasks in one executor; 0 when the settings do not define it.
   */
  static int tasksPerExecutor(SparkContext spark) {
    SparkConf conf = spark.getConf();
    if (spark.isLocal()) {
      return spark.defaultParallelism();
    }
    int cores = conf.getInt("spark.executor.cores", 0);
    return cores == 0 ? 0 : Math.max(1, cores / conf.getInt("spark.task.cpus", 1));
  }

  /**
   * Returns the share of one task of this JVM's heap, in bytes.
   *
   * @param tasks number of concurrent tasks in this JVM; 0 when unknown, which assumes one for each
   *     processor
   */
  static long bytes(int tasks) {
    Runtime runtime = Runtime.getRuntime();
    int sharers = tasks > 0 ? tasks : Math.max(1, runtime.availableProcessors());
    return runtime.maxMemory() / SHARE_OF_HEAP / sharers;
  }
}
