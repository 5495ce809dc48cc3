package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.regionserver.HStore;

/**
 * The file system of HFiles, and the rules for reading them.
 *
 * @param conf Hadoop's and HBase's configuration
 * @param fileSystem file system of the HFiles
 * @param family versions, TTL and encodings of the column family
 * @param snapshotTime time at which the snapshot was taken, milliseconds since the epoch; the TTL
 *     of cells is evaluated at this time
 */
public record ReadSource(
    Configuration conf, FileSystem fileSystem, ColumnFamilyDescriptor family, long snapshotTime) {

  /** The source of a snapshot's files, in the process that loaded the snapshot. */
  public static ReadSource of(Snapshot snapshot) {
    return new ReadSource(
        snapshot.conf(), snapshot.fileSystem(), snapshot.family(), snapshot.creationTime());
  }

  /**
   * The source of a snapshot's files, in a task.
   *
   * @param root of the snapshots, which determines the file system
   * @throws IOException when the file system cannot be reached
   */
  public static ReadSource of(Configuration conf, String root, SnapshotFamily family)
      throws IOException {
    try {
      return new ReadSource(
          conf,
          new Path(root).getFileSystem(conf),
          ColumnFamilyDescriptorBuilder.parseFrom(family.descriptor()),
          family.snapshotTime());
    } catch (DeserializationException e) {
      throw new IllegalStateException("a column family descriptor must survive serialisation", e);
    }
  }

  /**
   * Cells with earlier timestamps had expired when the snapshot was taken; milliseconds since the
   * epoch. If the family keeps expired versions, the newest version, which is the one read, never
   * expires.
   */
  long oldestTimestamp() {
    long ttl = HStore.determineTTLFromFamily(family);
    boolean expires = ttl != Long.MAX_VALUE && family.getMinVersions() == 0;
    return expires ? Math.max(0, snapshotTime - ttl) : 0;
  }
}
