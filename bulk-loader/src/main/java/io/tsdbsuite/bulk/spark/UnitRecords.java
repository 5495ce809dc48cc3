package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.PackedPoints;
import io.tsdbsuite.bulk.spill.HourPieces;
import io.tsdbsuite.bulk.spill.SeriesTotal;
import io.tsdbsuite.bulk.spill.SeriesTotals;
import io.tsdbsuite.bulk.spill.SpilledRows;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.JavaBytes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import scala.Tuple2;

/**
 * Records of a unit of the input for the shuffle: its hours, its series, then its books; of a
 * refused unit only the books.
 */
final class UnitRecords implements Iterator<Tuple2<byte[], byte[]>>, Closeable {
  private final LoadPlan plan;
  private final int unit;
  private final Tally tally;
  private final Function<UnitRecords, UnitBooks> books;
  private final RowKey rowKey;
  private HourPieces hours;
  private SeriesTotals series;
  private Refusal refusal;
  private long oldestMillis = Long.MAX_VALUE;
  private Tuple2<byte[], byte[]> next;
  private boolean ended;

  /**
   * @param rows of the unit
   * @param tally counts dropped points
   * @param books called after all other records
   */
  UnitRecords(
      LoadPlan plan,
      int unit,
      SpilledRows rows,
      Tally tally,
      Function<UnitRecords, UnitBooks> books)
      throws IOException {
    this.plan = plan;
    this.unit = unit;
    this.tally = tally;
    this.books = books;
    this.rowKey = plan.rowKey();
    this.hours = rows.pieces();
    this.series = plan.write().meta() ? rows.series() : null;
  }

  /** Books alone. */
  UnitRecords(LoadPlan plan, int unit, Refusal refusal, Function<UnitRecords, UnitBooks> books) {
    this.plan = plan;
    this.unit = unit;
    this.tally = new Tally();
    this.books = books;
    this.rowKey = plan.rowKey();
    this.refusal = refusal;
  }

  /** Null if the unit was taken. */
  Refusal refusal() {
    return refusal;
  }

  /** As {@link UnitBooks#oldestMillis}. */
  long oldestMillis() {
    return oldestMillis;
  }

  @Override
  public boolean hasNext() {
    if (next == null && !ended) {
      try {
        next = advance();
      } catch (IOException e) {
        throw JobException.outside("Spark's local directory: " + e, e);
      }
    }
    return next != null;
  }

  @Override
  public Tuple2<byte[], byte[]> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Tuple2<byte[], byte[]> record = next;
    next = null;
    return record;
  }

  private Tuple2<byte[], byte[]> advance() throws IOException {
    try {
      if (hours != null && hours.next()) {
        return hour();
      }
    } catch (JobException e) {
      refusal = Refusal.of(e);
      close();
    }
    if (hours != null) {
      hours.drainTo(tally);
      hours.close();
      hours = null;
    }
    SeriesTotal total = series == null ? null : series.next();
    if (total != null) {
      return series(total);
    }
    close();
    ended = true;
    byte[] key = ShuffleKey.of(ShuffleKey.BOOKS, new byte[0], 0, unit, 0);
    return new Tuple2<>(key, JavaBytes.of(books.apply(this)));
  }

  private Tuple2<byte[], byte[]> hour() {
    if (plan.oldest()) {
      oldestMillis = Math.min(oldestMillis, newestMillis());
    }
    byte[] key =
        ShuffleKey.of(ShuffleKey.ROW, hours.key(), hours.keyLength(), unit, hours.number());
    int from = hours.off();
    return new Tuple2<>(key, Arrays.copyOfRange(hours.packed(), from, from + hours.length()));
  }

  private long newestMillis() {
    byte[] packed = hours.packed();
    int end = hours.off() + hours.length();
    int last = hours.off();
    for (int at = last; at < end; at += PackedPoints.length(packed, at)) {
      last = at;
    }
    return rowKey.baseTime(hours.key(), 0) * 1000 + PackedPoints.offsetMillis(packed, last);
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
