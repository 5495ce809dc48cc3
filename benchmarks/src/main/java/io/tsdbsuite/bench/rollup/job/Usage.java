package io.tsdbsuite.bench.rollup.job;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/**
 * Cumulative resource usage of this JVM and of the two servers since their start. {@link #since}
 * returns the usage between two measurements.
 *
 * @param wall wall-clock time, seconds
 * @param cpu CPU time of all threads of this JVM, including the garbage collector and the
 *     compilers, seconds
 * @param tasksCpu CPU time of the threads that run Spark's tasks, seconds
 * @param tasksBytes memory allocated by these threads, bytes
 * @param gc time of garbage collections of this JVM, seconds
 * @param s3Cpu CPU time of the S3 server, seconds
 * @param kafkaCpu CPU time of the broker, seconds
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

  /**
   * Measures the current usage.
   *
   * @param s3 process ID of the S3 server
   * @param kafka process ID of the broker
   */
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
