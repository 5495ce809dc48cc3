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
   * Takes back the rollups of an hour. If the sinks cannot, counts the row as one with outdated
   * rollups.
   *
   * @param row the row key
   * @param dayIsEmpty whether no other hour of the day produces a rollup or fails
   */
  void hour(byte[] row, boolean dayIsEmpty, RollupSink sink, Books books) throws SinkException {
    if (intervals.ofHour().isEmpty() && !dayIsEmpty) {
      // The rollup of the day is the only one, and it is computed again.
      books.rowTakenBack();
      return;
    }
    if (!find(row)) {
      books.rowVanished("row " + HexFormat.of().withUpperCase().formatHex(row));
      return;
    }
    long base = rowKey.baseTime(row, 0);
    for (RollupInterval interval : intervals.ofHour()) {
      long seconds = interval.seconds();
      for (long time = base; time < base + RowKey.ROW_SPAN_SECONDS; time += seconds) {
        emit(time, interval.interval(), sink, books);
      }
    }
    books.rowTakenBack();
  }

  /**
   * Takes back the rollup of a day, if the sinks support it and days are rolled up.
   *
   * @param row the key of one of its hours
   */
  void day(byte[] row, RollupSink sink, Books books) throws SinkException {
    RollupInterval interval = intervals.ofDay();
    if (interval != null && find(row)) {
      long time = rowKey.baseTime(row, 0);
      emit(time - time % DAY_SECONDS, interval.interval(), sink, books);
    }
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
