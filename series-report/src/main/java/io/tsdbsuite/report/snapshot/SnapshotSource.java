package io.tsdbsuite.report.snapshot;

import io.tsdbsuite.format.meta.TsMetaRow;
import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.report.model.MetaRow;
import io.tsdbsuite.report.model.MetaSource;
import io.tsdbsuite.report.model.UidNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Rows of a tsdb-meta snapshot and names of a tsdb-uid snapshot. */
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
    SnapshotTables tables = new SnapshotTables(root, properties);
    Snapshot meta = tables.meta(metaSnapshot);
    List<Snapshot> uids = tables.uid(uidSnapshot);
    return new SnapshotSource(meta, SnapshotNames.read(uids.get(0), uids.get(1), layout));
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
        rows.add(metaRow(scanned));
        if (rows.size() == BATCH) {
          batch.rows(rows);
          rows = new ArrayList<>(BATCH);
        }
      }
    }
    batch.rows(rows);
  }

  private static MetaRow metaRow(ColumnRows row) {
    byte[] counter = row.value(COUNTER);
    return new MetaRow(
        row.key(), counter, counter == null ? 0 : row.timestamp(COUNTER), row.value(TS_META));
  }

  @Override
  public void close() {}
}
