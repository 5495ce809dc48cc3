package io.tsdbsuite.bench.rollup.job;

import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.StatusReporter;

/**
 * Counters that persist, as in MapReduce: TableSnapshotInputFormat's record reader updates HBase's
 * metrics after each row. Without a reporter, as in Spark, Hadoop creates all counters anew each
 * time, which takes many times as long as reading.
 */
public final class KeptCounters extends StatusReporter {
  private final Counters counters = new Counters();

  /** Starts without counters. */
  public KeptCounters() {}

  @Override
  public Counter getCounter(Enum<?> name) {
    return counters.findCounter(name);
  }

  @Override
  public Counter getCounter(String group, String name) {
    return counters.findCounter(group, name);
  }

  @Override
  public void progress() {
    // Counters need no progress reports.
  }

  @Override
  public float getProgress() {
    return 0;
  }

  @Override
  public void setStatus(String status) {
    // Counters need no progress reports.
  }
}
