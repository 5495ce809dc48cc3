package io.tsdbsuite.rollup.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Wall clock time of a run by phase. */
public final class Phases {
  private static final double NANOS = 1e9;

  private final Map<String, Double> seconds = new LinkedHashMap<>();

  /** Runs a phase and keeps its time, also when it throws. */
  public <T> T time(String phase, Supplier<T> work) {
    long start = System.nanoTime();
    try {
      return work.get();
    } finally {
      seconds.merge(phase, (System.nanoTime() - start) / NANOS, Double::sum);
    }
  }

  /** Runs a phase without a result and keeps its time, also when it throws. */
  public void run(String phase, Runnable work) {
    boolean unused =
        time(
            phase,
            () -> {
              work.run();
              return true;
            });
  }

  /** Seconds by phase, in the order in which the phases began. */
  public Map<String, Double> seconds() {
    return new LinkedHashMap<>(seconds);
  }
}
