package io.tsdbsuite.meta.report.snapshot;

import io.tsdbsuite.meta.report.model.MetaRow;
import io.tsdbsuite.meta.report.model.MetaSource;
import io.tsdbsuite.meta.report.model.ReportException;
import io.tsdbsuite.meta.report.model.TsuidLayout;
import io.tsdbsuite.meta.report.model.UidNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** A snapshot of tsdb-meta, with the names of a snapshot of tsdb-uid. */
public final class SnapshotSource implements MetaSource {
  private static final int BATCH = 4096;

  private static final byte[] FAMILY = Bytes.toBytes("name");
  private static final String COUNTER = "ts_ctr";
  private static final String TS_META = "ts_meta";
  private static final byte[] COUNTER_BYTES = Bytes.toBytes(COUNTER);
  private static final byte[] TS_META_BYTES = Bytes.toBytes(TS_META);

  private final Snapshots snapshots;
  private final String metaSnapshot;
  private final long time;
  private final SnapshotNames names;

  private SnapshotSource(Snapshots snapshots, String metaSnapshot, long time, SnapshotNames names) {
    this.snapshots = snapshots;
    this.metaSnapshot = metaSnapshot;
    this.time = time;
    this.names = names;
  }

  /**
   * Reads the names.
   *
   * @param rootDir an HBase root directory or the target of ExportSnapshot, with its scheme
   * @param workDir for restored files: on the same file system, outside the root; null for /tmp
   * @param properties of Hadoop and HBase, beside those of the class path
   * @throws ReportException when a snapshot is not there or cannot be read
   */
  public static SnapshotSource open(
      String rootDir,
      String workDir,
      Map<String, String> properties,
      String metaSnapshot,
      String uidSnapshot,
      TsuidLayout layout) {
    Snapshots snapshots = new Snapshots(rootDir, workDir, properties);
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
        snapshots.open(metaSnapshot, Snapshots.scan(start, stop, "name", COUNTER, TS_META))) {
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
    Cell counter = row.getColumnLatestCell(FAMILY, COUNTER_BYTES);
    return new MetaRow(
        row.getRow(),
        counter == null ? null : CellUtil.cloneValue(counter),
        counter == null ? 0 : counter.getTimestamp(),
        row.getValue(FAMILY, TS_META_BYTES));
  }

  @Override
  public void close() {}
}
