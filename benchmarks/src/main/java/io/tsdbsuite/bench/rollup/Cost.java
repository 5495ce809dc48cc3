package io.tsdbsuite.bench.rollup;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Way;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * Cost of work in this JVM.
 *
 * @param threadNanos CPU time of the thread that did it, nanoseconds
 * @param processNanos CPU time of the whole JVM, collector and compilers included, nanoseconds; the
 *     kernel counts in steps of 10 ms, so short work is repeated
 * @param wallNanos wall-clock time, nanoseconds
 * @param allocatedBytes allocation of the thread, bytes
 * @param gcNanos pauses by the collector, nanoseconds
 */
record Cost(
    double threadNanos,
    double processNanos,
    double wallNanos,
    double allocatedBytes,
    double gcNanos) {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /**
   * A way whose rounds are the cost of one run of the work.
   *
   * @param times runs in a round
   */
  static Way<Cost> way(String name, int times, Way.Work<?> work) {
    return new Way<>(
        name,
        () -> {
          Cost before = now();
          for (int i = 0; i < times; i++) {
            work.run();
          }
          return now().since(before, times);
        });
  }

  /** The cost of everything since the start of the JVM. */
  static Cost now() {
    double gcMillis =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .sum();
    return new Cost(
        THREADS.getCurrentThreadCpuTime(),
        PROCESS.getProcessCpuTime(),
        System.nanoTime(),
        THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()),
        gcMillis * 1e6);
  }

  /** The mean of some runs between two instants. */
  Cost since(Cost before, int times) {
    return new Cost(
        (threadNanos - before.threadNanos) / times,
        (processNanos - before.processNanos) / times,
        (wallNanos - before.wallNanos) / times,
        (allocatedBytes - before.allocatedBytes) / times,
        (gcNanos - before.gcNanos) / times);
  }

  /** Prints a figure of a kernel. */
  static void print(String name, double value) {
    System.out.println(KernelRun.line(name, value));
  }
}
