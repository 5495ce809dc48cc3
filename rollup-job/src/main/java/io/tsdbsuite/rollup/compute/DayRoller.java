package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.day.DayTable;
import io.tsdbsuite.rollup.day.LostRows;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Rolls up days. Rows arrive by salt bucket (if buckets are not merged), metric and hour, so one
 * day of one metric is in progress at a time. Its series are summed up over the hours, left to
 * right as in the TSD. When a row of another day or metric arrives, the sums are emitted in the
 * order of their tags. For one thread.
 *
 * <p>An incomplete day must not look complete: if a row of a series failed, or could be inside a
 * corrupt block, the day of that series fails.
 */
final class DayRoller {
  private static final long DAY_SECONDS = 86400;
  private static final long HOUR_SECONDS = RowKey.ROW_SPAN_SECONDS;
  private static final long MEBIBYTE = 1L << 20;

  /** Number of series emitted in one call. */
  private static final int BATCH = 256;

  private final String interval;
  private final RowKey rowKey;
  private final @Nullable SeriesNames names;
  private final long maxBytes;
  private final DayTable table;
  private final LostRows lost = new LostRows();
  private final PointSummary summary = new PointSummary();
  private final RollupPoint point = new RollupPoint();

  /** Salt and metric of the day. */
  private final byte[] prefix;

  /** First second of the day; before the first row, a value that no row has. */
  private long day = Long.MIN_VALUE;

  /** Series of the day in emission order; null while its rows arrive. */
  private int @Nullable [] order;

  private int emitted;

  /**
   * @param interval of a day, as rollup_config.json writes it
   * @param names resolves the series; null when rollups do not need names
   * @param maxBytes memory limit for the sums of the series of one metric
   */
  DayRoller(String interval, RowKey rowKey, @Nullable SeriesNames names, long maxBytes) {
    this.interval = interval;
    this.rowKey = rowKey;
    this.names = names;
    this.maxBytes = maxBytes;
    this.table = new DayTable(maxBytes);
    this.prefix = new byte[rowKey.timeOffset()];
  }

  /**
   * Starts a row, valid or not. If it belongs to another day, the previous day is emitted first.
   *
   * @param key array with the row key, which has a base time
   * @return false when more of the previous day must be emitted: call again
   */
  boolean enter(byte[] key, int off, RollupSink sink, Books books) throws SinkException {
    long time = rowKey.baseTime(key, off);
    if (time >= day
        && time < day + DAY_SECONDS
        && Arrays.equals(prefix, 0, prefix.length, key, off, off + prefix.length)) {
      return true;
    }
    if (!finish(sink, books)) {
      return false;
    }
    day = time - time % DAY_SECONDS;
    System.arraycopy(key, off, prefix, 0, prefix.length);
    if (!lost.isEmpty()) {
      lost.forgetBefore(row(0));
    }
    return true;
  }

  /** Adds the points of the current row, which is valid, after the points of earlier hours. */
  void add(byte[] key, int off, int len, PointBuffer points, Books books) {
    int series = find(key, off, len, books);
    table.load(series, summary);
    summary.addAll(points.doubles(), 0, points.size());
    table.save(series, summary);
  }

  /** Records that the current row failed. */
  void fail(byte[] key, int off, int len, Books books) {
    table.fail(find(key, off, len, books));
  }

  /**
   * Records a range of unreadable rows.
   *
   * @param from first unreadable row, inclusive
   * @param to first readable row after the range; empty for the end of the table
   */
  void lose(byte[] from, byte[] to) {
    lost.add(from, to);
  }

  private int find(byte[] key, int off, int len, Books books) {
    int before = table.size();
    int tags = rowKey.tagsOffset();
    int series = table.find(key, off + tags, len - tags);
    if (series == DayTable.FULL) {
      throw JobException.usage(
          "metric UID "
              + HexFormat.of().formatHex(prefix, rowKey.metricOffset(), prefix.length)
              + " has more than "
              + before
              + (rowKey.metricOffset() == 0 ? " series on " : " series in one salt bucket on ")
              + date()
              + ": their sums for "
              + interval
              + " need more than the "
              + maxBytes / MEBIBYTE
              + " MiB that a task may take for them; give executors more memory or fewer cores, or"
              + " leave "
              + interval
              + " out");
    }
    if (table.size() > before) {
      books.dayRead();
    }
    return series;
  }

  /**
   * Emits some series of the last day.
   *
   * @return whether all series are emitted
   */
  boolean finish(RollupSink sink, Books books) throws SinkException {
    if (table.size() == 0) {
      return true;
    }
    int[] inOrder = order;
    if (inOrder == null) {
      inOrder = table.inOrder();
      order = inOrder;
      emitted = 0;
    }
    int end = Math.min(inOrder.length, emitted + BATCH);
    while (emitted < end) {
      finish(inOrder[emitted++], sink, books);
    }
    if (emitted < inOrder.length) {
      return false;
    }
    table.clear();
    order = null;
    return true;
  }

  private void finish(int series, RollupSink sink, Books books) throws SinkException {
    int tags = table.keyLength(series);
    byte[] row = row(tags);
    System.arraycopy(table.keys(), table.keyOffset(series), row, rowKey.tagsOffset(), tags);
    if (table.isFailed(series) || couldHaveLost(row)) {
      books.dayFailed(
          FailReason.INCOMPLETE_DAY,
          () -> name(row) + ": one of its rows failed or could not be read");
    } else {
      emit(series, row, sink, books);
    }
  }

  private void emit(int series, byte[] row, RollupSink sink, Books books) throws SinkException {
    table.load(series, summary);
    if (!summary.isFinite()) {
      books.dayFailed(
          FailReason.FAILED_DAY, () -> name(row) + ": its sum is infinite, which no TSD stores");
      return;
    }
    String unresolved = names == null ? null : names.resolve(row, 0, row.length, point);
    if (unresolved != null) {
      // Its rows had names, so a name was deleted in the meantime.
      books.dayFailed(FailReason.FAILED_DAY, () -> name(row) + ": " + unresolved);
      return;
    }
    point.row(row, 0, row.length, rowKey.timeOffset());
    point.set(day, interval, summary.sum(), summary.min(), summary.max(), summary.count());
    sink.emit(point);
    books.dayEmitted();
    books.rollups(interval, 1);
  }

  /** The first row key of the day, with space for {@code tagBytes} bytes of tags. */
  private byte[] row(int tagBytes) {
    byte[] row = Arrays.copyOf(prefix, rowKey.tagsOffset() + tagBytes);
    Uids.write(day, row, rowKey.timeOffset(), RowKey.TIME_WIDTH);
    return row;
  }

  /**
   * Whether a row of the series' day could be in an unreadable range. Changes the row's base time.
   */
  private boolean couldHaveLost(byte[] row) {
    if (lost.isEmpty()) {
      return false;
    }
    for (long time = day; time < day + DAY_SECONDS; time += HOUR_SECONDS) {
      Uids.write(time, row, rowKey.timeOffset(), RowKey.TIME_WIDTH);
      if (lost.has(row)) {
        return true;
      }
    }
    return false;
  }

  private String date() {
    return LocalDate.ofEpochDay(day / DAY_SECONDS).toString();
  }

  private String name(byte[] row) {
    byte[] tsuid = rowKey.tsuid(row, 0, row.length);
    return "day " + date() + " of TSUID " + HexFormat.of().withUpperCase().formatHex(tsuid);
  }
}
