package io.tsdbsuite.report.snapshot;

import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * The snapshots under one root, which is only read. Tables are told apart by their column families,
 * since a copy of a table has another name:
 *
 * <pre>
 *   tsdb-meta  name
 *   tsdb-uid   name, id
 * </pre>
 */
final class SnapshotTables {
  /** The column family for the metadata in tsdb-meta and for the names of UIDs in tsdb-uid. */
  private static final String NAME = UidRow.NAME_FAMILY;

  /** Name to UID, of tsdb-uid only. */
  private static final String ID = UidRow.ID_FAMILY;

  private final SnapshotLoader loader;

  /**
   * Reads nothing yet.
   *
   * @param root an HBase root directory or the target of ExportSnapshot, with its scheme
   * @param properties properties of Hadoop and HBase, in addition to those on the class path
   */
  SnapshotTables(String root, Map<String, String> properties) {
    Configuration conf = HBaseConfiguration.create();
    properties.forEach(conf::set);
    S3RetryDefaults.apply(conf);
    loader = new SnapshotLoader(conf, root);
  }

  /**
   * A snapshot of tsdb-meta.
   *
   * @throws JobException usage, when it is missing, may not be read or is of another table; bad
   *     input, when it is corrupt; outside, when storage fails
   */
  Snapshot meta(String name) {
    List<Snapshot> families = load(name);
    if (families.size() > 1) {
      throw otherTable(
          "--snapshot must be a snapshot of tsdb-meta, without the column family " + ID, families);
    }
    return families.get(0);
  }

  /**
   * A snapshot of tsdb-uid: the names of UIDs, and the UIDs of names.
   *
   * @throws JobException as {@link #meta}
   */
  List<Snapshot> uid(String name) {
    List<Snapshot> families = load(name);
    if (families.size() == 1) {
      throw otherTable(
          "--uid-snapshot must be a snapshot of tsdb-uid, with the column family " + ID, families);
    }
    return families;
  }

  private List<Snapshot> load(String name) {
    try {
      return loader.load(name, NAME, List.of(ID));
    } catch (StorageException e) {
      throw JobException.of(e);
    }
  }

  private static JobException otherTable(String rule, List<Snapshot> families) {
    Snapshot snapshot = families.get(0);
    return JobException.usage(
        rule + ", found: " + snapshot.name() + " of table " + snapshot.table());
  }
}
