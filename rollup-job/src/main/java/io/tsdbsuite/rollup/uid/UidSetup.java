package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableNotFoundException;

/**
 * Makes the names of UIDs available, from a snapshot or from a live HBase.
 *
 * @param settings the source of the names
 * @param schema of the TSD
 * @param hadoop defaults for the client of the live HBase
 */
public record UidSetup(UidSettings settings, StorageSchema schema, Configuration hadoop) {
  private static final long CACHE_ENTRIES = 1_000_000;

  /**
   * Reads the names from the snapshot, or connects to HBase.
   *
   * @param uids present if the snapshot is the source of the names
   * @param data the snapshot of the data table
   * @param warnings receives warnings for the operator
   * @throws JobException usage, when the snapshot or HBase has UIDs of other widths, or HBase has
   *     no such table; bad input, when an HFile of the snapshot is corrupt; outside, when storage
   *     fails or HBase does not answer
   */
  public UidNames load(Optional<UidSnapshot> uids, Snapshot data, List<String> warnings) {
    return switch (settings.source()) {
      case NONE -> (kind, uid, out) -> false;
      case HBASE -> live();
      case SNAPSHOT -> read(uids.orElseThrow(), data, warnings);
    };
  }

  private UidNames read(UidSnapshot uids, Snapshot data, List<String> warnings) {
    if (uids.names().creationTime() < data.creationTime()) {
      warnings.add(
          "the UID snapshot is older than the data snapshot: names given in between are missing;"
              + " take it last");
    }
    UidSnapshotReader reader = new UidSnapshotReader(uids.names(), schema);
    if (uids.forward().isEmpty()) {
      warnings.add(
          "the UID table has no column family '"
              + UidRow.ID_FAMILY
              + "': it is unknown whether two UIDs have one name");
      return reader.read();
    }
    return reader.read(uids.forward().get());
  }

  /**
   * Connects to HBase.
   *
   * @throws JobException as {@link #load}
   */
  public UidNames live() {
    Configuration conf = HBaseConfiguration.create(hadoop);
    settings.hbaseProperties().forEach(conf::set);
    HBaseUidResolver resolver = new HBaseUidResolver(conf, schema, CACHE_ENTRIES);
    try {
      resolver.check();
      return resolver;
    } catch (UidWidthException e) {
      throw JobException.usage(String.valueOf(e.getMessage()), e);
    } catch (TableNotFoundException e) {
      throw JobException.usage(
          "HBase has no table '" + schema.uidTable() + "' (tsd.storage.hbase.uid_table)", e);
    } catch (IOException e) {
      String access = AccessFailures.reason(e);
      throw access == null
          ? JobException.outside(String.valueOf(e.getMessage()), e)
          : JobException.usage("HBase does not name UIDs: " + access, e);
    }
  }
}
