package io.tsdbsuite.rollup.spark;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.spark.BroadcastRelease;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Data shared by the tasks of a run, broadcast once to each executor.
 *
 * @param conf the Hadoop configuration, which is large and may hold credentials
 */
public record Broadcasts(Broadcast<UidNames> names, Broadcast<SerializableConfiguration> conf)
    implements Serializable, AutoCloseable {
  private static final long serialVersionUID = 1L;

  /** Broadcasts the names and the configuration for reading the snapshot. */
  public static Broadcasts of(JavaSparkContext spark, UidNames names, Snapshot data) {
    return new Broadcasts(
        spark.broadcast(names), spark.broadcast(new SerializableConfiguration(data.conf())));
  }

  /** Returns the Hadoop configuration; called on executors. */
  public Configuration hadoop() {
    return conf.value().value();
  }

  /** Frees the broadcasts; called on the driver when no task reads them any more. */
  @Override
  public void close() {
    BroadcastRelease.release(names);
    BroadcastRelease.release(conf);
  }
}
