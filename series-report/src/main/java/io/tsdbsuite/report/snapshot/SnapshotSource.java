package io.tsdbsuite.report.snapshot;

import io.tsdbsuite.format.meta.TsMetaRow;
import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.report.model.MetaRow;
import io.tsdbsuite.report.model.MetaSource;
import io.tsdbsuite.report.model.UidNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * Rows of a tsdb-meta snapshot and names of a tsdb-uid snapshot, below one root, which is only
 * read. Tables are told apart by their column families, since a copy of a table has another name:
 *
 * <pre>
 *   tsdb-meta  name
 *   tsdb-uid   name, id
 * </pre>
 */
public final class SnapshotSource implements MetaSource {
  private static final int BATCH = 4096;

  private static final List<byte[]> COLUMNS =
      List.of(TsMetaRow.counterQualifier(), TsMetaRow.metaQualifier());
  private static final int COUNTER = 0;
  private static final int TS_META = 1;

  private final Snapshot meta;
  private final SnapshotNames names;

  private SnapshotSource(Snapshot meta, SnapshotNames names) {
    this.meta = meta;
    this.names = names;
  }

  /**
   * Reads the manifests and the names.
   *
   * @param root root directory of both snapshots, with its scheme; only read
   * @param properties properties of Hadoop and HBase, in addition to those on the class path
   * @throws JobException usage, when a snapshot is missing, may not be read or is of another table,
   *     or when the UID widths differ from the layout; bad input, when a snapshot is corrupt;
   *     outside, when storage fails
   */
  public static SnapshotSource open(
      String root,
      Map<String, String> properties,
      String metaSnapshot,
      String uidSnapshot,
      TsuidLayout layout) {
    Configuration conf = HBaseConfiguration.create();
    properties.forEach(conf::set);
    S3RetryDefaults.apply(conf);
    SnapshotLoader loader = new SnapshotLoader(conf, root);
    List<Snapshot> meta = load(loader, metaSnapshot);
    if (meta.size() > 1) {
      throw otherTable("--snapshot must be a snapshot of tsdb-meta, without", meta.get(0));
    }
    List<Snapshot> uids = load(loader, uidSnapshot);
    if (uids.size() == 1) {
      throw otherTable("--uid-snapshot must be a snapshot of tsdb-uid, with", uids.get(0));
    }
    return new SnapshotSource(meta.get(0), SnapshotNames.read(uids.get(0), uids.get(1), layout));
  }

  /** The column families of a snapshot: the names, and the ids if it is of tsdb-uid. */
  private static List<Snapshot> load(SnapshotLoader loader, String name) {
    try {
      return loader.load(name, UidRow.NAME_FAMILY, List.of(UidRow.ID_FAMILY));
    } catch (StorageException e) {
      throw JobException.of(e);
    }
  }

  private static JobException otherTable(String rule, Snapshot found) {
    return JobException.usage(
        "%s the column family %s, found: %s of table %s"
            .formatted(rule, UidRow.ID_FAMILY, found.name(), found.table()));
  }

  @Override
  public UidNames names() {
    return names;
  }

  @Override
  public long time(long now) {
    return meta.creationTime();
  }

  @Override
  public void scan(byte[] start, byte[] stop, Batch batch) throws IOException {
    List<MetaRow> rows = new ArrayList<>(BATCH);
    try (ColumnRows scanned = new ColumnRows(meta, start, stop, COLUMNS)) {
      while (scanned.next()) {
        byte[] counter = scanned.value(COUNTER);
        long received = counter == null ? 0 : scanned.timestamp(COUNTER);
        rows.add(new MetaRow(scanned.key(), counter, received, scanned.value(TS_META)));
        if (rows.size() == BATCH) {
          batch.rows(rows);
          rows = new ArrayList<>(BATCH);
        }
      }
    }
    batch.rows(rows);
  }

  @Override
  public void close() {}
}
