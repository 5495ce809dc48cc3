package io.tsdbsuite.rollup.compute;

/** Limits the memory for the sums of days. */
final class DayMemory {
  /**
   * Divisor of the heap. The rest is for the UID dictionary, the sink's buffers, blocks in use, and
   * Spark.
   */
  private static final int SHARE_OF_HEAP = 4;

  private DayMemory() {}

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
