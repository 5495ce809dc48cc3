package io.tsdbsuite.bench.meta;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Measures CPU per operation of the calling threads, and of the whole process with the collector
 * and its refinement threads. JMH creates it by name in the forked JVM.
 */
public final class CpuProfiler implements InternalProfiler {
  /** CPU time of the calling threads, nanoseconds per operation. */
  static final String CALLERS = "cpu.callers";

  /** CPU time of the process, nanoseconds per operation. */
  static final String PROCESS = "cpu.process";

  /** Allocation of the calling threads, bytes per operation. */
  static final String ALLOCATED = "allocated";

  /** Part of the names of JMH's worker threads. */
  private static final String WORKER = "-jmh-worker-";

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private Totals before = new Totals(0, 0, 0);

  private record Totals(long callers, long process, long allocated) {}

  @Override
  public String getDescription() {
    return "CPU time of the callers and of the process, and allocation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = totals();
  }

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    Totals after = totals();
    double operations = result.getMetadata().getAllOps();
    return List.of(
        result(CALLERS, (after.callers - before.callers) / operations, "ns/op"),
        result(PROCESS, (after.process - before.process) / operations, "ns/op"),
        result(ALLOCATED, (after.allocated - before.allocated) / operations, "B/op"));
  }

  private static ScalarResult result(String label, double value, String unit) {
    return new ScalarResult(label, value, unit, AggregationPolicy.AVG);
  }

  private Totals totals() {
    long cpu = 0;
    long allocated = 0;
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().contains(WORKER)) {
        cpu += threads.getThreadCpuTime(thread.getThreadId());
        allocated += threads.getThreadAllocatedBytes(thread.getThreadId());
      }
    }
    return new Totals(cpu, system.getProcessCpuTime(), allocated);
  }
}
