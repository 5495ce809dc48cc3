package io.tsdbsuite.bench.loadtest;

/** Ratio of the busiest second's writes to the mean of all seconds. */
final class Busiest {
  private final long first;
  private long last;
  private long most;
  private int seconds;

  Busiest(long count) {
    first = count;
    last = count;
  }

  /**
   * Adds a second.
   *
   * @param count number of writes since the start
   */
  void second(long count) {
    most = Math.max(most, count - last);
    last = count;
    seconds++;
  }

  /** The ratio; 0 without writes. */
  double overMean() {
    return last == first ? 0 : (double) most * seconds / (last - first);
  }
}
