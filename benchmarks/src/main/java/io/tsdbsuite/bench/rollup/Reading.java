package io.tsdbsuite.bench.rollup;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.tsdbsuite.bench.measure.Median;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Measured cost of one run of an implementation.
 *
 * @param threadNanos CPU time of the thread that ran it, nanoseconds
 * @param processNanos CPU time of the whole JVM, collector and compilers included, nanoseconds; the
 *     kernel counts in steps of 10 ms, so short runs are repeated
 * @param wallNanos wall-clock time, nanoseconds
 * @param allocatedBytes allocation of the thread, bytes
 * @param gcNanos pauses by the collector, nanoseconds
 */
record Reading(
    double threadNanos,
    double processNanos,
    double wallNanos,
    double allocatedBytes,
    double gcNanos) {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /**
   * Measures an implementation.
   *
   * @param times number of runs; the reading is the mean per run
   */
  static Reading of(Way way, int times) throws Exception {
    long self = Thread.currentThread().getId();
    Reading before = now(self);
    for (int i = 0; i < times; i++) {
      way.run();
    }
    Reading after = now(self);
    return new Reading(
        (after.threadNanos - before.threadNanos) / times,
        (after.processNanos - before.processNanos) / times,
        (after.wallNanos - before.wallNanos) / times,
        (after.allocatedBytes - before.allocatedBytes) / times,
        (after.gcNanos - before.gcNanos) / times);
  }

  private static Reading now(long thread) {
    double gc =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .sum();
    return new Reading(
        THREADS.getCurrentThreadCpuTime(),
        PROCESS.getProcessCpuTime(),
        System.nanoTime(),
        THREADS.getThreadAllocatedBytes(thread),
        gc * 1e6);
  }

  /** The median of one figure over several readings. */
  static double median(List<Reading> readings, ToDoubleFunction<Reading> figure) {
    return Median.of(readings.stream().map(figure::applyAsDouble).toList());
  }
}
