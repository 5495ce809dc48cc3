package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import java.io.Serializable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;

/**
 * The column family of a snapshot, in a form that can be sent to executors.
 *
 * @param descriptor versions, TTL and encodings, in HBase's serialised form
 * @param snapshotTime time at which the snapshot was taken, milliseconds since the epoch
 */
public record SnapshotFamily(byte[] descriptor, long snapshotTime) implements Serializable {

  /** The family of a snapshot. */
  public static SnapshotFamily of(Snapshot snapshot) {
    return new SnapshotFamily(
        ColumnFamilyDescriptorBuilder.toByteArray(snapshot.family()), snapshot.creationTime());
  }
}
