package io.tsdbsuite.bench.rollup.job;

import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.StatusReporter;

/**
 * Counters that are kept, as MapReduce keeps them: TableSnapshotInputFormat's record reader enters
 * HBase's metrics after each row. Without a reporter, as in Spark, Hadoop makes all counters anew
 * each time, which takes many times what reading takes.
 */
public final class KeptCounters extends StatusReporter {
  private final Counters counters = new Counters();

  /** With no counter yet. */
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
    // Nobody watches.
  }

  @Override
  public float getProgress() {
    return 0;
  }

  @Override
  public void setStatus(String status) {
    // Nobody watches.
  }
}
