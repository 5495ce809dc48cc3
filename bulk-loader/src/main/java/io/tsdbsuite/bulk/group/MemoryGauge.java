package io.tsdbsuite.bulk.group;

/**
 * Tells when memory is full. It is checked periodically, so it reserves 1.25 times the largest
 * growth seen between two checks.
 */
final class MemoryGauge {
  private static final long FIRST_STEP = 16 << 20;

  private final long budget;
  private long before;
  private long step;

  MemoryGauge(long budget) {
    this.budget = budget;
    this.step = Math.min(FIRST_STEP, budget / 16);
  }

  /** Whether the next step could exceed the budget. */
  boolean full(long used) {
    step = Math.max(step, used - before);
    before = used;
    return exceeds(used);
  }

  /** Whether these bytes and the reserve exceed the budget. */
  boolean exceeds(long bytes) {
    return bytes + reserve() > budget;
  }

  /** Memory that the next step may need, bytes. */
  long reserve() {
    return step + step / 4;
  }

  /** Sets the memory in use after a spill, bytes. */
  void emptied(long used) {
    before = used;
  }
}
