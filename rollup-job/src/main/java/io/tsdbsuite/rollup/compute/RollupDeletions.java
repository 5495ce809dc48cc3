package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Takes back the rollups of data table rows whose points were all deleted. Reused for every row;
 * for one thread.
 */
final class RollupDeletions {
  private static final long DAY_SECONDS = 86400;

  private final RowKey rowKey;
  private final RollupIntervals intervals;
  private final @Nullable SeriesNames names;
  private final boolean possible;
  private final RollupPoint point = new RollupPoint();

  /**
   * @param names resolves the series; null when rollups do not need names
   * @param possible whether the sinks can take rollups back
   */
  RollupDeletions(
      RowKey rowKey, RollupIntervals intervals, @Nullable SeriesNames names, boolean possible) {
    this.rowKey = rowKey;
    this.intervals = intervals;
    this.names = names;
    this.possible = possible;
  }

  /** Whether the sinks can take rollups back. */
  boolean isPossible() {
    return possible;
  }

  /**
   * Takes back the rollups of an hour, and those above an hour whose other hours are empty, too. If
   * the sinks cannot, counts the row as one with outdated rollups.
   *
   * @param row the row key
   * @param changed changed hours of the row's day, bit 0 is the first; matters above an hour only
   * @param settled hours of the day that produced rollups, failed or could not be read, as bits
   */
  void hour(byte[] row, int changed, int settled, RollupSink sink, Books books)
      throws SinkException {
    long base = rowKey.baseTime(row, 0);
    if (intervals.ofHour().isEmpty()
        && intervals.ofDay().stream().noneMatch(each -> (hours(each, base) & settled) == 0)) {
      // All rollups have other hours, and they are computed again.
      books.rowTakenBack();
      return;
    }
    if (!find(row)) {
      books.rowVanished("row " + HexFormat.of().withUpperCase().formatHex(row));
      return;
    }
    for (RollupInterval interval : intervals.ofDay()) {
      int hours = hours(interval, base);
      // Once, with the first of its hours: all those that have changed come here.
      if ((hours & settled) == 0 && Integer.lowestOneBit(hours & changed) == 1 << hour(base)) {
        emit(base - base % interval.seconds(), interval.interval(), sink, books);
      }
    }
    for (RollupInterval interval : intervals.ofHour()) {
      long seconds = interval.seconds();
      for (long time = base; time < base + RowKey.ROW_SPAN_SECONDS; time += seconds) {
        emit(time, interval.interval(), sink, books);
      }
    }
    books.rowTakenBack();
  }

  /** The hours of the day in a bucket, as a bit set. */
  private static int hours(RollupInterval interval, long base) {
    int width = (int) interval.seconds() / RowKey.ROW_SPAN_SECONDS;
    return ((1 << width) - 1) << hour(base - base % interval.seconds());
  }

  private static int hour(long base) {
    return (int) (base % DAY_SECONDS / RowKey.ROW_SPAN_SECONDS);
  }

  private boolean find(byte[] row) {
    point.row(row, 0, row.length, rowKey.timeOffset());
    return possible && (names == null || names.resolve(row, 0, row.length, point) == null);
  }

  private void emit(long time, String interval, RollupSink sink, Books books) throws SinkException {
    point.takeBack(time, interval);
    sink.emit(point);
    books.rollupsTakenBack(1);
  }
}
