package io.tsdbsuite.bench.measure;

import java.time.Duration;

/** CPU time of a process since the creation of this object. */
public final class CpuClock {
  private final ProcessHandle process;
  private final Duration before;

  private CpuClock(ProcessHandle process) {
    this.process = process;
    this.before = total(process);
  }

  /**
   * Starts a clock.
   *
   * @throws IllegalStateException when there is no such process
   */
  public static CpuClock of(long pid) {
    return new CpuClock(
        ProcessHandle.of(pid)
            .orElseThrow(() -> new IllegalStateException("process " + pid + " is gone")));
  }

  private static Duration total(ProcessHandle process) {
    return process.info().totalCpuDuration().orElseThrow();
  }

  /** CPU of all threads of the process, seconds. */
  public double seconds() {
    return total(process).minus(before).toNanos() / 1e9;
  }
}
