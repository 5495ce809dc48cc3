package io.tsdbsuite.bench.measure;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
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

  /** Rounds left out at each end, which something may have disturbed. */
  private static final int LEFT_OUT = 2;

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

  /** Measures the CPU of the JVM, by a clock in steps of 10 ms; a run should take several steps. */
  public static PairedRuns ofProcess() {
    return new PairedRuns(
        ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            ::getProcessCpuTime);
  }

  /**
   * Runs both ways and prints the mean of the middle rounds of each, nanoseconds a run.
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
    System.out.println(KernelRun.line(FIRST, middleMean(firstNanos)));
    System.out.println(KernelRun.line(SUITE, middleMean(suiteNanos)));
  }

  /** A median of few rounds would have the steps of the clock. */
  private static double middleMean(List<Double> nanos) {
    Collections.sort(nanos);
    return nanos.subList(LEFT_OUT, nanos.size() - LEFT_OUT).stream()
        .mapToDouble(Double::doubleValue)
        .average()
        .orElseThrow();
  }
}
