package io.tsdbsuite.rollup.job;

/** How much memory the sums of days may take. */
final class DayMemory {
  /** The rest is for the UID dictionary, the sink's buffers, blocks that are read, and Spark. */
  private static final int SHARE_OF_HEAP = 4;

  private DayMemory() {}

  /**
   * A task's share, bytes, in the JVM that this is called in.
   *
   * @param tasks that run beside each other in it; 0 when nobody knows: then one for each processor
   */
  static long bytes(int tasks) {
    Runtime runtime = Runtime.getRuntime();
    int sharers = tasks > 0 ? tasks : Math.max(1, runtime.availableProcessors());
    return runtime.maxMemory() / SHARE_OF_HEAP / sharers;
  }
}
