package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.stored.BatchReconciler;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads the rows of a range: compares them with stored rows, writes the remaining points, and
 * reports checkpoints. Not thread-safe.
 */
public final class RangeLoader {
  /** For writers that acknowledge all at the end. */
  public static final long NO_CHECKPOINTS = Long.MAX_VALUE;

  /** Default of the bytes between checkpoints. */
  public static final long DEFAULT_CHECKPOINT_BYTES = 64L << 20;

  private static final byte[] NONE = new byte[0];
  private static final int BATCH_ROWS = 1024;
  private static final long BATCH_BYTES = 4L << 20;

  private final RowWriter writer;
  private final @Nullable BatchReconciler existing;
  private final CellTimestamps stamps;
  private final RowKey keys;
  private final long checkpointBytes;
  private final Runnable before;

  private final List<EncodedRow> batch = new ArrayList<>();
  private Tally tally = new Tally();
  private byte[] lastKey = NONE;
  private byte[] lastWritten = NONE;
  private long points;
  private long rows;
  private long bytes;

  /**
   * @param existing null if the table is known to have none of the rows
   * @param keys of the installation
   * @param checkpointBytes bytes read from the source between checkpoints
   * @param before called before each batch and each row
   */
  public RangeLoader(
      RowWriter writer,
      @Nullable BatchReconciler existing,
      CellTimestamps stamps,
      RowKey keys,
      long checkpointBytes,
      Runnable before) {
    this.writer = writer;
    this.existing = existing;
    this.stamps = stamps;
    this.keys = keys;
    this.checkpointBytes = checkpointBytes;
    this.before = before;
  }

  /**
   * Loads all rows of the source; the last checkpoint is at its end.
   *
   * @param source not closed here
   * @throws JobException when stored points forbid it, or HBase fails; rows after the last {@link
   *     AckListener#acknowledged} may be written or not
   */
  public void load(RowSource source, AckListener progress) throws IOException {
    tally = new Tally();
    lastWritten = NONE;
    lastKey = NONE;
    points = 0;
    rows = 0;
    bytes = 0;
    long sinceCheckpoint = 0;
    EncodedRow next = source.next();
    while (next != null) {
      long batchBytes = 0;
      batch.clear();
      while (next != null && (isOpen(batchBytes) || isSameRow(next))) {
        batch.add(next);
        batchBytes += next.size();
        if (!isOpen(batchBytes)) {
          // Now, since the next row may already belong to the next checkpoint.
          tally.add(source.drain());
        }
        next = source.next();
      }
      write();
      sinceCheckpoint += batchBytes;
      lastKey = batch.get(batch.size() - 1).key();
      if (next != null && sinceCheckpoint >= checkpointBytes) {
        checkpoint(progress);
        sinceCheckpoint = 0;
      }
    }
    tally.add(source.drain());
    checkpoint(progress);
  }

  private boolean isOpen(long batchBytes) {
    return batch.size() < BATCH_ROWS && batchBytes < BATCH_BYTES;
  }

  private boolean isSameRow(EncodedRow next) {
    return Arrays.equals(next.key(), batch.get(batch.size() - 1).key());
  }

  private void write() throws IOException {
    before.run();
    if (existing != null) {
      existing.reconcile(batch, tally, this::write);
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      write(batch.get(i));
    }
  }

  private void write(EncodedRow cell) throws IOException {
    before.run();
    writer.write(cell, stamps.of(cell, keys));
    points += cell.points();
    bytes += cell.size();
    if (!Arrays.equals(lastWritten, cell.key())) {
      rows++;
      lastWritten = cell.key();
    }
  }

  private void checkpoint(AckListener progress) throws IOException {
    writer.checkpoint();
    tally.add(Count.POINTS_WRITTEN, points);
    tally.add(Count.ROWS_WRITTEN, rows);
    tally.add(Count.BYTES_WRITTEN, bytes);
    points = 0;
    rows = 0;
    bytes = 0;
    progress.acknowledged(lastKey, tally.drain());
  }
}
