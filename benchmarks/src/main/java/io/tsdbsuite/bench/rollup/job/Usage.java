package io.tsdbsuite.bench.rollup.job;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/**
 * What this JVM and the two servers have used since they began; the difference of two is what was
 * used between them.
 *
 * @param wall seconds
 * @param cpu seconds of all threads of this JVM, collector and compilers included
 * @param tasksCpu seconds of the threads that run Spark's tasks
 * @param tasksBytes allocated by these threads
 * @param gc seconds in which the collector had stopped this JVM
 * @param s3Cpu seconds of the S3 server
 * @param kafkaCpu seconds of the broker
 */
record Usage(
    double wall,
    double cpu,
    double tasksCpu,
    double tasksBytes,
    double gc,
    double s3Cpu,
    double kafkaCpu) {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final String TASKS = "Executor task launch worker";
  private static final double NANOS = 1e9;

  /** As of now. */
  static Usage now(long s3, long kafka) {
    double tasksCpu = 0;
    double tasksBytes = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith(TASKS)) {
        tasksCpu += THREADS.getThreadCpuTime(thread.getThreadId());
        tasksBytes += THREADS.getThreadAllocatedBytes(thread.getThreadId());
      }
    }
    double gcMillis =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .sum();
    return new Usage(
        System.nanoTime() / NANOS,
        PROCESS.getProcessCpuTime() / NANOS,
        tasksCpu / NANOS,
        tasksBytes,
        gcMillis / 1e3,
        cpu(s3),
        cpu(kafka));
  }

  private static double cpu(long pid) {
    return ProcessHandle.of(pid).orElseThrow().info().totalCpuDuration().orElseThrow().toNanos()
        / NANOS;
  }

  Usage since(Usage before) {
    return new Usage(
        wall - before.wall,
        cpu - before.cpu,
        tasksCpu - before.tasksCpu,
        tasksBytes - before.tasksBytes,
        gc - before.gc,
        s3Cpu - before.s3Cpu,
        kafkaCpu - before.kafkaCpu);
  }
}
