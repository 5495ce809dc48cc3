package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.run.WritePhase.Acknowledged;
import io.tsdbsuite.bulk.run.WritePhase.Range;
import io.tsdbsuite.bulk.run.WritePhase.RangeWriter;
import io.tsdbsuite.hbase.load.HFileDir;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** Writes the rows of ranges to HFiles. Each range is one region of the table. Not thread-safe. */
final class HFileRanges implements RangeWriter {
  private final WritePhase phase;
  private final @Nullable ExecutorService makers;
  private final int ahead;
  private final HFileRows rows;

  /**
   * @param makers threads that encode rows ahead of the thread that writes a region, used when
   *     there are fewer regions than threads; null if each thread writes a different region
   * @param ahead maximum number of parts of a range that these threads encode at the same time
   */
  HFileRanges(
      TargetTable target,
      WritePhase phase,
      HFileDir dir,
      InstantSource clock,
      @Nullable ExecutorService makers,
      int ahead)
      throws IOException {
    this.phase = phase;
    this.makers = makers;
    this.ahead = ahead;
    this.rows = new HFileRows(target, dir, clock);
  }

  @Override
  public void write(Range range, Acknowledged acknowledged) throws IOException {
    try (RowSource source = open(range)) {
      List<String> unused =
          rows.write(
              "r" + range.number(),
              source,
              (lastKey, since) -> acknowledged.upTo(lastKey, since, true));
    }
  }

  private RowSource open(Range range) throws IOException {
    return makers == null ? phase.open(range) : phase.openAhead(range, makers, ahead);
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
