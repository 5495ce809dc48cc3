package io.tsdbsuite.hbase.snapshot;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;

/**
 * A snapshot of one table from its manifest, for one column family.
 *
 * @param name the snapshot's name
 * @param table the name of the table
 * @param creationTime time at which the snapshot was taken, milliseconds since the epoch, UTC
 * @param flushed whether the region servers flushed their memory to HFiles first, the default;
 *     otherwise the newest points are missing
 * @param conf Hadoop's configuration with {@code hbase.rootdir} set to the snapshot's root
 * @param fileSystem of the snapshot's root
 * @param family the descriptor: versions, TTL and encodings as of the snapshot
 * @param regions the live regions in key order, without gaps or overlaps
 */
public record Snapshot(
    String name,
    String table,
    long creationTime,
    boolean flushed,
    Configuration conf,
    FileSystem fileSystem,
    ColumnFamilyDescriptor family,
    List<SnapshotRegion> regions) {}
