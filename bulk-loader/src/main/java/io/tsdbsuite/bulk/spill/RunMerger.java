package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowBuilder;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.format.row.RowKey;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Rows of merged hours. */
public final class RunMerger implements RowSource {
  /** Runs that are open at the same time at most, whatever the memory: each is a file. */
  private static final int MAX_RUNS = 256;

  private final HourSource hours;
  private final RowBuilder builder;
  private final RowKey rowKey;
  private final Tally tally = new Tally();
  private boolean inHour;
  private int taken;
  private int end;

  /**
   * Rows of hours that come merged.
   *
   * @param hours closed with this
   * @param cellLimit qualifier and value of one cell together, bytes; see {@code row.RowBuilder}
   */
  public RunMerger(HourSource hours, RowKey rowKey, int cellLimit) {
    this.hours = hours;
    this.rowKey = rowKey;
    this.builder = new RowBuilder(cellLimit);
  }

  /**
   * Number of runs that can be merged at the same time.
   *
   * @param memoryBytes of all ranges that are open at the same time
   * @param ranges number of ranges
   * @return at least 2
   */
  public static int fanIn(long memoryBytes, int ranges) {
    long each = memoryBytes / ranges - 3L * RowBuilder.DEFAULT_LIMIT;
    return (int) Math.max(2, Math.min(MAX_RUNS, each / RunCursor.MEMORY));
  }

  @Override
  public @Nullable EncodedRow next() throws IOException {
    while (true) {
      if (!inHour) {
        if (!hours.nextHour()) {
          return null;
        }
        inHour = true;
      }
      while (taken < end || nextChunk()) {
        taken = builder.add(hours.packed, taken, end);
        if (taken < end) {
          return row();
        }
      }
      inHour = false;
      if (builder.points() > 0) {
        return row();
      }
    }
  }

  private boolean nextChunk() throws IOException {
    if (!hours.nextChunk()) {
      return false;
    }
    taken = hours.off;
    end = hours.off + hours.length;
    return true;
  }

  private EncodedRow row() {
    byte[] key = Arrays.copyOf(hours.key, hours.keyLength);
    return builder.build(key, rowKey.baseTime(key, 0));
  }

  @Override
  public Tally drain() {
    hours.drainTo(tally);
    return tally.drain();
  }

  @Override
  public void close() throws IOException {
    hours.close();
  }
}
