package io.tsdbsuite.rollup.job;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.rollup.uid.UidDictionary;
import org.apache.hadoop.conf.Configuration;

/** What the driver of the job does to know the names of UIDs, without Spark around it. */
public final class UidRun {
  private UidRun() {}

  /** Reads every name of a snapshot of the UID table. */
  public static UidDictionary read(
      Configuration hadoop, String root, String snapshot, StorageSchema schema) {
    return new UidSnapshotReader(
            new SnapshotLoader(hadoop, root).load(snapshot, UidSnapshotReader.FAMILY), schema)
        .read();
  }
}
