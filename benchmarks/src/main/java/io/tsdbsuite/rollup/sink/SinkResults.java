package io.tsdbsuite.rollup.sink;

/**
 * Results of sinks of the benchmarks. It lives in the sinks' package because only they may say what
 * was stored.
 */
public final class SinkResults {
  private SinkResults() {}

  /** Of an attempt that has stored as many messages as it was given points. */
  public static SinkResult of(int partition, long attempt, long points, long bytes) {
    return new SinkResult(partition, attempt, points, points, bytes, null);
  }
}
