package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import org.apache.hadoop.conf.Configuration;

/** Loads the UID dictionary as the driver of the job does, without Spark. */
public final class UidRun {
  private UidRun() {}

  /** Reads all names of a snapshot of the UID table. */
  public static UidDictionary read(
      Configuration hadoop, String root, String snapshot, StorageSchema schema) {
    return new UidSnapshotReader(
            new SnapshotLoader(hadoop, root).load(snapshot, UidSnapshot.FAMILY), schema)
        .read();
  }
}
