package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.existing.ExistingRows;
import io.tsdbsuite.bulk.existing.Reconciler;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.run.WritePhase.Acknowledged;
import io.tsdbsuite.bulk.run.WritePhase.Range;
import io.tsdbsuite.bulk.run.WritePhase.RangeWriter;
import io.tsdbsuite.bulk.write.HFileDir;
import io.tsdbsuite.bulk.write.HFileWriter;
import io.tsdbsuite.bulk.write.RangeLoader;
import io.tsdbsuite.format.row.RowKey;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;

/** Writes ranges to HFiles; a range is a region. */
final class HFileRanges implements RangeWriter {
  private final Target target;
  private final WritePhase phase;
  private final HFileDir dir;
  private final InstantSource clock;
  private final ExecutorService makers;
  private final int ahead;
  private final ExistingRows existing;

  /**
   * @param makers threads that make rows for the one that writes a region, when there are fewer
   *     regions than threads; null if each thread writes a region of its own
   * @param ahead how many such threads
   */
  HFileRanges(
      Target target,
      WritePhase phase,
      HFileDir dir,
      InstantSource clock,
      ExecutorService makers,
      int ahead)
      throws IOException {
    this.makers = makers;
    this.ahead = ahead;
    this.target = target;
    this.phase = phase;
    this.dir = dir;
    this.clock = clock;
    Connection connection = target.hbase().connection();
    this.existing =
        new ExistingRows(
            connection.getTable(target.table().name()),
            target.schema(),
            new Reconciler(
                target.schema(),
                target.settings().onConflict(),
                target.stamps(),
                false,
                target.resumed()),
            target.stamps().mayBeHidden(),
            Durability.USE_DEFAULT);
  }

  @Override
  public void write(Range range, Acknowledged acknowledged) throws IOException {
    RowKey rowKey = target.rowKey();
    String label = "r" + range.number();
    long maxBytes = HFileWriter.maxBytes(target.hbase().configuration(), target.table());
    try (RowSource source = open(range);
        HFileWriter writer = new HFileWriter(dir, label, target.table(), maxBytes, clock)) {
      new RangeLoader(writer, existing, target.stamps(), rowKey, RangeLoader.NO_CHECKPOINTS)
          .load(source, (lastKey, since) -> acknowledged.upTo(lastKey, since, true));
    }
  }

  private RowSource open(Range range) throws IOException {
    return makers == null ? phase.open(range) : phase.openAhead(range, makers, ahead);
  }

  @Override
  public void close() throws IOException {
    existing.close();
  }
}
