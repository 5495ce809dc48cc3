package io.tsdbsuite.rollup.sink;

/** Results of the benchmarks' sinks. They store one message for each point. */
public final class SinkResults {
  private SinkResults() {}

  /** The result of an attempt that stored one message for each point. */
  public static SinkResult of(int partition, long attempt, long points, long bytes) {
    return new SinkResult(partition, attempt, points, points, bytes, null);
  }
}
