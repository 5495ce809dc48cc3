package io.tsdbsuite.rollup.job;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.uid.HBaseUidResolver;
import io.tsdbsuite.rollup.uid.NoNames;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.uid.UidWidthException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableNotFoundException;

/** Makes the names of UIDs available, from a snapshot or from a live HBase. */
final class UidSetup {
  private static final long CACHE_ENTRIES = 1_000_000;

  private final RollupOptions options;
  private final Configuration hadoop;

  /** The family of the forward mappings; null when the table lacks it. */
  private Snapshot forward;

  UidSetup(RollupOptions options, Configuration hadoop) {
    this.options = options;
    this.hadoop = hadoop;
  }

  /**
   * The snapshot of the UID table; null when names do not come from one.
   *
   * @throws StorageException as {@link SnapshotLoader#load}
   * @throws JobException usage, when the snapshot is of another table
   */
  Snapshot snapshot() {
    if (options.uids().source() != UidSource.SNAPSHOT) {
      return null;
    }
    List<Snapshot> families =
        new SnapshotLoader(hadoop, options.snapshotRoot())
            .load(
                options.uids().snapshot(),
                UidSnapshotReader.FAMILY,
                List.of(UidSnapshotReader.FORWARD));
    Snapshot uids = families.get(0);
    forward = families.size() > 1 ? families.get(1) : null;
    TableCheck.require(uids, StorageSchema.UID_TABLE, options.schema().uidTable());
    CompleteInput.requireFlushed(uids, options.tolerance());
    return uids;
  }

  /**
   * Loads the snapshot or connects to HBase.
   *
   * @param snapshots include the result of {@link #snapshot}
   * @param warnings receives warnings for the operator
   * @throws JobException as {@link UidSnapshotReader#read}; usage, when HBase has no such table, or
   *     UIDs of other widths; outside, when HBase does not answer
   */
  UidNames load(RunSnapshots snapshots, List<String> warnings) {
    if (options.uids().source() == UidSource.NONE) {
      return new NoNames();
    }
    if (snapshots.uids() == null) {
      return live();
    }
    if (snapshots.uids().creationTime() < snapshots.data().creationTime()) {
      warnings.add(
          "the UID snapshot is older than the data snapshot: names given in between are missing;"
              + " take it last");
    }
    UidSnapshotReader reader = new UidSnapshotReader(snapshots.uids(), options.schema());
    if (forward == null) {
      warnings.add(
          "the UID table has no column family '"
              + UidSnapshotReader.FORWARD
              + "': it is unknown whether two UIDs have one name");
      return reader.read();
    }
    return reader.read(forward);
  }

  private UidNames live() {
    Configuration conf = HBaseConfiguration.create(hadoop);
    options.uids().hbaseProperties().forEach(conf::set);
    StorageSchema schema = options.schema();
    HBaseUidResolver resolver =
        new HBaseUidResolver(
            conf,
            schema.uidTable(),
            schema.metricWidth(),
            schema.tagkWidth(),
            schema.tagvWidth(),
            CACHE_ENTRIES);
    try {
      resolver.check();
      return resolver;
    } catch (UidWidthException e) {
      throw JobException.usage(e.getMessage(), e);
    } catch (TableNotFoundException e) {
      throw JobException.usage(
          "HBase has no table '" + schema.uidTable() + "' (tsd.storage.hbase.uid_table)", e);
    } catch (IOException e) {
      throw JobException.outside(e.getMessage(), e);
    }
  }
}
