package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.report.PointsByMetric;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.PackedPoints;
import io.tsdbsuite.bulk.run.BelowFloors;
import io.tsdbsuite.bulk.spill.HourSource;
import io.tsdbsuite.bulk.spill.SeriesTotal;
import io.tsdbsuite.bulk.spill.SeriesTotals;
import io.tsdbsuite.bulk.spill.SpilledRows;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.JavaBytes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Records of a unit of the input for the shuffle: its hours, its series, then its books; of a
 * refused unit only the books.
 */
final class UnitRecords implements Iterator<Tuple2<byte[], byte[]>>, Closeable {
  private final LoadPlan plan;
  private final int unit;
  private final Tally tally;
  private final Function<UnitRecords, UnitResult> result;
  private final RowKey rowKey;
  private final PointsByMetric metrics;
  private final BelowFloors below;
  private @Nullable HourSource hours;
  private @Nullable SeriesTotals series;
  private @Nullable PermanentFailure failure;
  private long oldestMillis = Long.MAX_VALUE;
  private @Nullable Tuple2<byte[], byte[]> next;
  private boolean ended;
  private boolean inHour;

  /** Number of the next piece of the hour, from 0. */
  private int piece;

  /**
   * @param rows rows of the unit
   * @param tally counts dropped points
   * @param result called after all other records
   */
  UnitRecords(
      LoadPlan plan,
      int unit,
      SpilledRows rows,
      Tally tally,
      Function<UnitRecords, UnitResult> result)
      throws IOException {
    this.plan = plan;
    this.unit = unit;
    this.tally = tally;
    this.result = result;
    this.rowKey = plan.rowKey();
    this.hours = rows.hours();
    this.metrics = rows.pointsByMetric();
    this.below = new BelowFloors(plan.floors());
    this.below.names(rows, rowKey);
    this.series = plan.write().meta() ? rows.series() : null;
  }

  /** The result alone. */
  UnitRecords(
      LoadPlan plan,
      int unit,
      @Nullable PermanentFailure failure,
      Function<UnitRecords, UnitResult> result) {
    this.plan = plan;
    this.unit = unit;
    this.tally = new Tally();
    this.result = result;
    this.rowKey = plan.rowKey();
    this.failure = failure;
    this.metrics = new PointsByMetric();
    this.below = new BelowFloors(List.of());
  }

  /** Accepted points by metric; empty without rows. */
  PointsByMetric metrics() {
    return metrics;
  }

  /** Points of the records so far that are below the floor of their metric. */
  BelowFloors below() {
    return below;
  }

  /** Why the unit is refused; null if it was accepted. */
  @Nullable PermanentFailure failure() {
    return failure;
  }

  /** See {@link UnitResult#oldestMillis}. */
  long oldestMillis() {
    return oldestMillis;
  }

  @Override
  public boolean hasNext() {
    if (next == null && !ended) {
      try {
        next = advance();
      } catch (IOException e) {
        throw JobException.outside("Spark's local directory: " + StorageFailures.reason(e), e);
      }
    }
    return next != null;
  }

  @Override
  public Tuple2<byte[], byte[]> next() {
    Tuple2<byte[], byte[]> record = hasNext() ? next : null;
    if (record == null) {
      throw new NoSuchElementException();
    }
    next = null;
    return record;
  }

  private Tuple2<byte[], byte[]> advance() throws IOException {
    try {
      HourSource open = hours;
      while (open != null && (inHour || open.nextHour())) {
        inHour = open.nextChunk();
        if (inHour) {
          return hour(open, piece++);
        }
        piece = 0;
      }
    } catch (JobException e) {
      failure = PermanentFailure.of(e);
      close();
    }
    HourSource drained = hours;
    if (drained != null) {
      drained.drainTo(tally);
      drained.close();
      hours = null;
    }
    SeriesTotal total = series == null ? null : series.next();
    if (total != null) {
      return series(total);
    }
    close();
    ended = true;
    byte[] key = ShuffleKey.of(ShuffleKey.BOOKS, new byte[0], 0, unit, 0);
    return new Tuple2<>(key, JavaBytes.of(result.apply(this)));
  }

  private Tuple2<byte[], byte[]> hour(HourSource hour, int number) {
    if (plan.oldest()) {
      oldestMillis = Math.min(oldestMillis, newestMillis(hour));
    }
    below.add(hour, rowKey);
    byte[] key = ShuffleKey.of(ShuffleKey.ROW, hour.key, hour.keyLength, unit, number);
    int from = hour.off;
    return new Tuple2<>(key, Arrays.copyOfRange(hour.packed, from, from + hour.length));
  }

  private long newestMillis(HourSource hour) {
    byte[] packed = hour.packed;
    int end = hour.off + hour.length;
    int last = hour.off;
    for (int at = last; at < end; at += PackedPoints.length(packed, at)) {
      last = at;
    }
    return rowKey.baseTime(hour.key, 0) * 1000 + PackedPoints.offsetMillis(packed, last);
  }

  private Tuple2<byte[], byte[]> series(SeriesTotal total) {
    byte[] tsuid = total.tsuid();
    byte[] value =
        ByteBuffer.allocate(16).putLong(total.points()).putLong(total.newestMillis()).array();
    return new Tuple2<>(ShuffleKey.of(ShuffleKey.SERIES, tsuid, tsuid.length, unit, 0), value);
  }

  @Override
  public void close() throws IOException {
    if (hours != null) {
      hours.close();
      hours = null;
    }
    if (series != null) {
      series.close();
      series = null;
    }
  }
}
