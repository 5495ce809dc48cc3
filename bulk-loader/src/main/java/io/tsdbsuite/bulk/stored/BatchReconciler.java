package io.tsdbsuite.bulk.stored;

import io.tsdbsuite.bulk.hbase.HBaseFailures;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.RowName;
import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reconciles batches of rows with the stored rows before they are written, and rewrites stored rows
 * if conflicts require it. Not thread-safe.
 */
public final class BatchReconciler implements Closeable {
  /** Attempts to rewrite a row that TSDs change at the same time. */
  private static final int ATTEMPTS = 5;

  /** Receives the cells to write. */
  public interface CellSink {
    /** The next one, ascending by key. */
    void write(EncodedRow cell) throws IOException;
  }

  private final Table table;
  private final StoredRowReader stored;
  private final Reconciler reconciler;
  private final Durability durability;
  private final RowName names;

  /**
   * @param table the data table; closed with this
   * @param names for messages
   * @param withMarkers whether delete markers may hide new cells
   * @param durability of rewritten rows
   */
  public BatchReconciler(
      Table table,
      RowName names,
      Reconciler reconciler,
      boolean withMarkers,
      Durability durability) {
    this.table = table;
    this.stored = new StoredRowReader(table, withMarkers);
    this.reconciler = reconciler;
    this.durability = durability;
    this.names = names;
  }

  /**
   * Passes the remaining cells to the sink.
   *
   * @param batch rows ascending by key; one in several cells is complete
   * @param tally gets all points but those that are passed on
   * @throws JobException as {@link Reconciler#reconcile}, or when HBase fails
   */
  public void reconcile(List<EncodedRow> batch, Tally tally, CellSink sink) throws IOException {
    List<List<EncodedRow>> rows = rows(batch);
    List<byte[]> keys = new ArrayList<>(rows.size());
    for (List<EncodedRow> row : rows) {
      keys.add(row.get(0).key());
    }
    List<StoredRow> found = stored.read(keys);
    for (int i = 0; i < rows.size(); i++) {
      List<EncodedRow> row = rows.get(i);
      for (EncodedRow cell : found.get(i) == null ? row : change(row, found.get(i), tally)) {
        sink.write(cell);
      }
    }
  }

  private static List<List<EncodedRow>> rows(List<EncodedRow> batch) {
    List<List<EncodedRow>> rows = new ArrayList<>(batch.size());
    int i = 0;
    while (i < batch.size()) {
      int end = i + 1;
      while (end < batch.size() && Arrays.equals(batch.get(end).key(), batch.get(i).key())) {
        end++;
      }
      rows.add(end - i == 1 ? List.of(batch.get(i)) : batch.subList(i, end));
      i = end;
    }
    return rows;
  }

  private List<EncodedRow> change(List<EncodedRow> row, StoredRow found, Tally tally) {
    Tally first = new Tally();
    Tally last = first;
    Reconciler.Change change = reconciler.reconcile(row, found, first);
    RowRewrite rewrite = change.rewrite();
    for (int attempt = 0; rewrite != null; attempt++) {
      byte[] key = row.get(0).key();
      if (attempt == ATTEMPTS) {
        throw JobException.outside(
            names.row(key) + ": was rewritten " + ATTEMPTS + " times, TSDs change it each time");
      }
      apply(rewrite);
      // A concurrent TSD compaction may have restored the old values.
      StoredRow now = stored.read(List.of(key)).get(0);
      last = new Tally();
      change =
          now == null ? new Reconciler.Change(row, null) : reconciler.reconcile(row, now, last);
      rewrite = change.rewrite();
    }
    // Points that are passed on are counted when they are written.
    tally.add(change.cells().isEmpty() ? first : last);
    return change.cells();
  }

  private void apply(RowRewrite rewrite) {
    try {
      rewrite.apply(table, durability);
    } catch (IOException e) {
      throw JobException.outside(
          "table " + table.getName() + ": a row was not rewritten: " + HBaseFailures.reason(e), e);
    }
  }

  @Override
  public void close() throws IOException {
    stored.close();
  }
}
