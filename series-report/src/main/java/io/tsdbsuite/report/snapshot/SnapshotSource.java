package io.tsdbsuite.report.snapshot;

import io.tsdbsuite.format.meta.TsMetaRow;
import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.report.model.MetaRow;
import io.tsdbsuite.report.model.MetaSource;
import io.tsdbsuite.report.model.ReportException;
import io.tsdbsuite.report.model.UidNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;

/** Rows of a tsdb-meta snapshot and names of a tsdb-uid snapshot. */
public final class SnapshotSource implements MetaSource {
  private static final int BATCH = 4096;

  private static final byte[] FAMILY = TsMetaRow.family();
  private static final byte[] COUNTER = TsMetaRow.counterQualifier();
  private static final byte[] TS_META = TsMetaRow.metaQualifier();

  private final SnapshotReader snapshots;
  private final String metaSnapshot;
  private final long time;
  private final SnapshotNames names;

  private SnapshotSource(
      SnapshotReader snapshots, String metaSnapshot, long time, SnapshotNames names) {
    this.snapshots = snapshots;
    this.metaSnapshot = metaSnapshot;
    this.time = time;
    this.names = names;
  }

  /**
   * Reads the names.
   *
   * @param snapshots reads both snapshots
   * @throws ReportException when a snapshot is missing or cannot be read
   */
  public static SnapshotSource open(
      SnapshotReader snapshots, String metaSnapshot, String uidSnapshot, TsuidLayout layout) {
    long time = snapshots.time(metaSnapshot);
    return new SnapshotSource(
        snapshots, metaSnapshot, time, SnapshotNames.read(snapshots, uidSnapshot, layout));
  }

  @Override
  public UidNames names() {
    return names;
  }

  @Override
  public long time(long now) {
    return time;
  }

  @Override
  public void scan(byte[] start, byte[] stop, Batch batch) throws IOException {
    List<MetaRow> rows = new ArrayList<>(BATCH);
    try (SnapshotRows scanned =
        snapshots.open(metaSnapshot, start, stop, FAMILY, COUNTER, TS_META)) {
      for (Result row = scanned.next(); row != null; row = scanned.next()) {
        rows.add(metaRow(row));
        if (rows.size() == BATCH) {
          batch.rows(rows);
          rows = new ArrayList<>(BATCH);
        }
      }
    }
    batch.rows(rows);
  }

  private static MetaRow metaRow(Result row) {
    Cell counter = row.getColumnLatestCell(FAMILY, COUNTER);
    return new MetaRow(
        row.getRow(),
        counter == null ? null : CellUtil.cloneValue(counter),
        counter == null ? 0 : counter.getTimestamp(),
        row.getValue(FAMILY, TS_META));
  }

  @Override
  public void close() {}
}
