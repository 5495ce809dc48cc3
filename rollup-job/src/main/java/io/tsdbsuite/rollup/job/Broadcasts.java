package io.tsdbsuite.rollup.job;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * What the tasks of a run share, broadcast once for each executor.
 *
 * @param conf Hadoop's settings: they are large and may hold credentials
 */
record Broadcasts(Broadcast<UidNames> names, Broadcast<SerializableConfiguration> conf)
    implements Serializable, AutoCloseable {
  private static final long serialVersionUID = 1L;

  /** Sends the names, and how to reach the snapshot. */
  static Broadcasts of(JavaSparkContext spark, UidNames names, Snapshot data) {
    return new Broadcasts(
        spark.broadcast(names), spark.broadcast(new SerializableConfiguration(data.conf())));
  }

  /** The settings, on an executor. */
  Configuration hadoop() {
    return conf.value().value();
  }

  /** On the driver: frees them, once no task reads them any more. */
  @Override
  public void close() {
    names.destroy();
    conf.destroy();
  }
}
