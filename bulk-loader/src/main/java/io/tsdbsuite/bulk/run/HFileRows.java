package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.run.WritePhase.Acknowledged;
import io.tsdbsuite.bulk.run.WritePhase.RangeWriter;
import io.tsdbsuite.bulk.stored.BatchReconciler;
import io.tsdbsuite.bulk.write.AckListener;
import io.tsdbsuite.bulk.write.HFileWriter;
import io.tsdbsuite.bulk.write.RangeLoader;
import io.tsdbsuite.hbase.load.HFileDir;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import org.apache.hadoop.hbase.client.Durability;

/**
 * Writes rows to HFiles after reconciling them with stored rows. HFiles add points and cannot
 * replace stored ones. Not thread-safe.
 */
public final class HFileRows implements RangeWriter {
  private final TargetTable target;
  private final HFileDir dir;
  private final InstantSource clock;
  private final BatchReconciler existing;

  /**
   * @param clock for the creation time of the files
   */
  public HFileRows(TargetTable target, HFileDir dir, InstantSource clock) throws IOException {
    this.target = target;
    this.dir = dir;
    this.clock = clock;
    this.existing = target.reconciler(false, Durability.USE_DEFAULT);
  }

  /**
   * Writes all rows of a source.
   *
   * @param label beginning of the file names; see {@link HFileWriter}
   * @param rows the rows; the caller closes the source
   * @param progress called once, at the end
   * @return names of the finished files
   * @throws io.tsdbsuite.job.JobException as {@link RangeLoader#load}
   */
  public List<String> write(String label, RowSource rows, AckListener progress) throws IOException {
    long maxBytes = HFileWriter.maxBytes(target.hbase().configuration(), target.table());
    try (HFileWriter writer = new HFileWriter(dir, label, target.table(), maxBytes, clock)) {
      new RangeLoader(
              writer,
              existing,
              target.stamps(),
              target.rowKey(),
              RangeLoader.NO_CHECKPOINTS,
              () -> {})
          .load(rows, progress);
      return writer.finished();
    }
  }

  /** Writes the rows of a range, which is one region of the table. */
  @Override
  public void write(int range, RowSource rows, Acknowledged acknowledged) throws IOException {
    List<String> unused =
        write("r" + range, rows, (lastKey, since) -> acknowledged.upTo(lastKey, since, true));
  }

  @Override
  public void close() throws IOException {
    existing.close();
  }
}
