package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.KeyProblem;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.ReadTracker;
import io.tsdbsuite.hbase.read.RegionFiles;
import io.tsdbsuite.hbase.read.RowReader;
import io.tsdbsuite.hbase.read.RowReaders;
import io.tsdbsuite.hbase.read.UnreadableBlockException;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.RegionPart;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.MetricRows;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongPredicate;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/** Reads the stored rollups in a part of a rollup table, row by row. For one thread. */
public final class StoredRows implements Closeable {
  private final StoredTable table;
  private final RowWindow window;
  private final RowKey rowKey;
  private final LongPredicate excludedMetrics;
  private final LongToIntFunction wanted;
  private final StoredBooks books;
  private final @Nullable MetricRows counted;
  private final StoredRow cells;

  /** The same; null of histograms and packed rows. */
  private final @Nullable StoredCells rollups;

  private final ReadTracker tracker = new ReadTracker();
  private final RegionFiles files;
  private final RowReader rows;

  /**
   * Opens a part.
   *
   * @param excludedMetrics UIDs of metrics that are not compared
   * @param wanted by the UID of a metric, bits of the aggregators that are compared; of histograms
   *     0 if these are not
   * @param books receive the counts
   * @param counted receive the rows of which wider rollups are made; null if they are compared
   * @throws IOException when storage fails
   * @throws JobException bad input, when the end of an HFile is corrupt
   */
  public StoredRows(
      StoredTable table,
      ReadSource source,
      RegionPart part,
      LongPredicate excludedMetrics,
      LongToIntFunction wanted,
      StoredBooks books,
      @Nullable MetricRows counted)
      throws IOException {
    this.table = table;
    this.window = table.rows();
    this.rowKey = new RowKey(table.schema());
    this.excludedMetrics = excludedMetrics;
    this.wanted = wanted;
    this.books = books;
    this.counted = counted;
    RollupInterval interval = table.interval();
    this.rollups =
        table.isOfHistograms() || table.isPacked()
            ? null
            : new StoredCells(
                table.name(),
                table.aggregators(),
                interval.interval(),
                interval.intervalsPerRow(),
                table.schema().fixDuplicates());
    this.cells = rollups == null ? others(table) : rollups;
    this.files = part.open(source, tracker);
    this.rows =
        RowReaders.open(
            source,
            files,
            part.startRow(),
            part.stopRow(),
            part.sequential(),
            window::endOfStretch);
  }

  private static StoredRow others(StoredTable table) {
    RollupInterval interval = table.interval();
    return table.isOfHistograms()
        ? new StoredHistograms(table.name(), interval.seconds())
        : new StoredPacked(
            table.name(), table.aggregators(), interval.interval(), interval.intervalsPerRow());
  }

  /**
   * Reads the next row.
   *
   * @param receiver takes keys and values of {@link VerifyRecord}, in no particular order
   * @return false when nothing is left
   * @throws IOException when storage fails
   */
  public boolean step(BiConsumer<byte[], byte[]> receiver) throws IOException {
    try {
      return row(receiver);
    } catch (UnreadableBlockException e) {
      books.malformed("table " + table.name() + ": " + e.getMessage());
      return rows.resumeAfter(e);
    }
  }

  private boolean row(BiConsumer<byte[], byte[]> receiver) throws IOException {
    if (!rows.peek()) {
      return false;
    }
    byte[] key = rows.rowArray();
    int off = rows.rowOffset();
    int len = rows.rowLength();
    if (!window.contains(key, off, len)) {
      return seek(window.nextAfter(key, off, len));
    }
    if (len >= rowKey.timeOffset() && excludedMetrics.test(rowKey.metricUid(key, off))) {
      return seek(window.nextMetric(key, off, len));
    }
    byte[] row = Arrays.copyOfRange(key, off, off + len);
    boolean hasMetric = len >= rowKey.timeOffset();
    cells.begin(row, hasMetric ? wanted.applyAsInt(rowKey.metricUid(row, 0)) : Aggregators.FOUR);
    if (rows.read(cells) == 0) {
      return true;
    }
    cells.end(books);
    if (counted != null) {
      books.sourceRow();
    }
    KeyProblem broken = rowKey.check(row, 0, row.length);
    if (broken == KeyProblem.WRONG_SALT
        && counted == null
        && !hasCellsOfWindow(rowKey.baseTime(row, 0))) {
      // A row of a whole month or year, for example, which was written before the buckets changed.
      return true;
    }
    String problem = problem(row, broken);
    if (problem != null) {
      books.malformed(
          "table %s, row %s: %s".formatted(table.name(), HexFormat.of().formatHex(row), problem));
      return true;
    }
    byte[] tsuid = rowKey.tsuid(row, 0, row.length);
    List<RollupInterval> made = table.made();
    if (made != null && counted != null && rollups != null) {
      int used = (int) ((table.to() - table.from()) / table.interval().seconds());
      counted.row(rollups.kept(used), rowKey.metricUid(row, 0), cells.count());
      make(rollups, made, tsuid, receiver);
    } else if (table.sample().wants(tsuid)) {
      emit(tsuid, rowKey.baseTime(row, 0), receiver);
    }
    return true;
  }

  private @Nullable String problem(byte[] row, @Nullable KeyProblem broken) {
    if (broken == KeyProblem.WRONG_SALT && !table.anyBucket()) {
      return broken.rule() + "; --any-bucket compares the rows of all buckets";
    }
    if (broken != null && !(broken == KeyProblem.WRONG_SALT && isScanned(row))) {
      return broken.rule();
    }
    long base = rowKey.baseTime(row, 0);
    if (base == table.base(base)) {
      return null;
    }
    RollupInterval interval = table.interval();
    String span =
        table.isOfHistograms() ? "an interval of " + interval.interval() : interval.rowSpan();
    return "base time must be the start of " + span + ", found " + base;
  }

  /** Whether TSDs read the bucket of the row. */
  private boolean isScanned(byte[] row) {
    return Uids.read(row, 0, table.schema().saltWidth()) < table.schema().saltBuckets();
  }

  private boolean hasCellsOfWindow(long base) {
    for (int i = 0; i < cells.offsets(); i++) {
      if (isOfWindow(base, i) && cells.record(i) != null) {
        return true;
      }
    }
    return false;
  }

  private boolean isOfWindow(long base, int offset) {
    long time = base + offset * table.interval().seconds();
    return time >= table.from() && time < table.to();
  }

  private void emit(byte[] tsuid, long base, BiConsumer<byte[], byte[]> receiver) {
    for (int i = 0; i < cells.offsets(); i++) {
      byte[] value = isOfWindow(base, i) ? cells.record(i) : null;
      if (value != null) {
        long time = base + i * table.interval().seconds();
        receiver.accept(VerifyRecord.key(tsuid, table.number(), time), value);
      }
    }
  }

  /** Makes wider rollups of the row, which begins with the window. */
  private void make(
      StoredCells stored,
      List<RollupInterval> made,
      byte[] tsuid,
      BiConsumer<byte[], byte[]> receiver) {
    int number = table.number();
    for (RollupInterval wider : made) {
      number++;
      int parts = (int) (wider.seconds() / table.interval().seconds());
      int first = 0;
      for (long time = table.from(); time < table.to(); time += wider.seconds()) {
        byte[] value = stored.computed(first, parts);
        if (value != null) {
          receiver.accept(VerifyRecord.key(tsuid, number, time), value);
        }
        first += parts;
      }
    }
  }

  private boolean seek(byte @Nullable [] row) throws IOException {
    if (row == null) {
      return false;
    }
    rows.seek(row);
    return true;
  }

  @Override
  public void close() {
    books.storage(tracker.bytes(), tracker.readCalls());
    rows.close();
    files.close();
  }
}
