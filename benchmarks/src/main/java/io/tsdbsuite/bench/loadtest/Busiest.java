package io.tsdbsuite.bench.loadtest;

/** The busiest of some seconds, against the mean of all. */
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
   * A second has passed.
   *
   * @param count of all writes so far
   */
  void second(long count) {
    most = Math.max(most, count - last);
    last = count;
    seconds++;
  }

  /** 0 when nothing was written. */
  double overMean() {
    return last == first ? 0 : (double) most * seconds / (last - first);
  }
}
