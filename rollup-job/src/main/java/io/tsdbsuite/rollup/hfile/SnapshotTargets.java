package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.StorageException.Kind;
import io.tsdbsuite.hbase.load.Region;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.rollup.sink.SinkException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;

/**
 * Reads regions and family from the manifests of rollup table snapshots, for jobs without access to
 * HBase. The data files of the snapshots are not read and may be absent.
 */
public final class SnapshotTargets implements TargetSource {
  private final SnapshotLoader loader;
  private final List<String> names;

  /**
   * @param root root of the data snapshot
   * @param names of the snapshots, one for each table
   */
  public SnapshotTargets(Configuration hadoop, String root, List<String> names) {
    this.loader = new SnapshotLoader(hadoop, root);
    this.names = List.copyOf(names);
  }

  @Override
  public TargetTable table(String name) throws SinkException {
    List<String> tables = new ArrayList<>();
    for (String each : names) {
      Snapshot snapshot = load(each);
      if (snapshot.table().equals(name)) {
        return target(snapshot);
      }
      tables.add(snapshot.table());
    }
    throw new SinkException.Fatal(
        "--target-snapshot must name a snapshot of table %s, found snapshots of %s"
            .formatted(name, tables));
  }

  private Snapshot load(String name) throws SinkException {
    try {
      return loader.load(name, RowKey.FAMILY);
    } catch (StorageException e) {
      String message = "--target-snapshot " + name + ": " + e.getMessage();
      throw e.kind() == Kind.UNAVAILABLE
          ? new SinkException.Retryable(message, e)
          : new SinkException.Fatal(message, e);
    }
  }

  private static TargetTable target(Snapshot snapshot) throws SinkException {
    List<Region> regions = new ArrayList<>();
    for (SnapshotRegion region : snapshot.regions()) {
      regions.add(new Region(region.startKey(), region.endKey()));
    }
    return TargetTable.of(
        snapshot.table(),
        new TableLayout(TableName.valueOf(snapshot.table()), snapshot.family(), 0, regions));
  }
}
