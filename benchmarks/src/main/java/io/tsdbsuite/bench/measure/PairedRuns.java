package io.tsdbsuite.bench.measure;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * CPU of the same work in two ways, measured alternately, so that other load on the machine is on
 * both.
 */
public final class PairedRuns {
  /** Name of the figure of the first way. */
  public static final String FIRST = "first";

  /** Name of the figure of the suite's way. */
  public static final String SUITE = "suite";

  private static final int WARM_ROUNDS = 4;
  private static final int ROUNDS = 9;
  private static final double TOLERANCE = 1e-9;

  private final LongSupplier cpu;

  private PairedRuns(LongSupplier cpu) {
    this.cpu = cpu;
  }

  /** One way of the work. */
  @FunctionalInterface
  public interface Way {
    /**
     * Does the work once.
     *
     * @return a sum over the results, equal for both ways
     */
    double run() throws Exception;
  }

  /** Measures the CPU of the calling thread. */
  public static PairedRuns ofThread() {
    return new PairedRuns(ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
  }

  /** Measures the CPU of the JVM; a run must take much more than the clock's step of 10 ms. */
  public static PairedRuns ofProcess() {
    return new PairedRuns(
        ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            ::getProcessCpuTime);
  }

  /**
   * Runs both ways and prints the median of each, nanoseconds a run.
   *
   * @throws IllegalStateException when their results differ
   */
  public void print(Way first, Way suite) throws Exception {
    List<Double> firstNanos = new ArrayList<>();
    List<Double> suiteNanos = new ArrayList<>();
    for (int round = -WARM_ROUNDS; round < ROUNDS; round++) {
      long begin = cpu.getAsLong();
      double expected = first.run();
      long between = cpu.getAsLong();
      double found = suite.run();
      long end = cpu.getAsLong();
      if (!(Math.abs(found - expected) <= TOLERANCE * Math.abs(expected))) {
        throw new IllegalStateException("the two ways differ: " + expected + " and " + found);
      }
      if (round >= 0) {
        firstNanos.add((double) between - begin);
        suiteNanos.add((double) end - between);
      }
    }
    System.out.println(KernelRun.line(FIRST, Median.of(firstNanos)));
    System.out.println(KernelRun.line(SUITE, Median.of(suiteNanos)));
  }
}
