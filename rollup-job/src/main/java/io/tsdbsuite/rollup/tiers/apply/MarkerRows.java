package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.ColumnKind;
import io.tsdbsuite.format.row.CorruptCellException;
import io.tsdbsuite.format.row.KeyProblem;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.RowException;
import io.tsdbsuite.format.row.RowHistograms;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.hbase.read.CellVisitor;
import io.tsdbsuite.hbase.read.RowReader;
import io.tsdbsuite.hbase.read.UnreadableBlockException;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.MetricRows.Kept;
import io.tsdbsuite.rollup.tiers.proof.IdleSeries;
import io.tsdbsuite.rollup.verify.Aggregators;
import io.tsdbsuite.rollup.verify.StoredCells;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * The delete markers of the rows of a snapshot that a proof names. It makes a marker only for the
 * row that its reader is at, so no other key can get one; nothing else of the suite makes markers
 * for a data table.
 *
 * <pre>
 *   row of the snapshot                         marker
 *   points                                      DeleteFamily
 *   points and annotations                      DeleteColumn for each column with points
 *   histograms of a proof                       as points
 *   rollups of known aggregators alone          DeleteFamily
 *   a reason of {@link Kept}                        none
 *   none, but in another salt bucket            none
 * </pre>
 *
 * <p>Known are sum, min, max, count, and the aggregators that {@code suite} of rollup_config.json
 * names for the interval. A marker hides the cells with its timestamp and older ones; later cells
 * stay. For one thread.
 */
public final class MarkerRows {
  private static final byte[] FAMILY = RowKey.family();

  /**
   * What gets markers, of a metric.
   *
   * @param rows rows that have only points
   * @param annotatedRows rows that have points and annotations
   * @param points of both, as stored: before duplicates are dropped; of rollups cells
   */
  public record Count(long rows, long annotatedRows, long points) {
    /** Both together. */
    public Count plus(Count other) {
      return new Count(
          rows + other.rows, annotatedRows + other.annotatedRows, points + other.points);
    }

    /** Rows of both kinds. */
    public long allRows() {
      return rows + annotatedRows;
    }
  }

  private final RowReader rows;
  private final RowWindow window;
  private final LongPredicate metrics;
  private final LongPredicate histograms;
  private final @Nullable IdleSeries series;
  private final @Nullable RollupInterval rollups;
  private final RowKey keys;
  private final boolean anyBucket;
  private final long stamp;
  private final Map<ByteBuffer, Kept> staying;
  private final RowCells cells;
  private final Map<Long, Count> counts = new TreeMap<>();
  private final Map<Kept, Long> kept = new EnumMap<>(Kept.class);
  private byte[] row = {};
  private @Nullable Kept reason;
  private boolean ended;

  /**
   * @param rows of a part of the snapshot, with the salt
   * @param from first base time, seconds since the epoch
   * @param to last base time, exclusive
   * @param metrics whether a UID is of a metric that is meant; others are passed over
   * @param histograms whether a UID is of a metric whose histograms go, as its rollups have them
   * @param series of a proof of idle series; others are passed over; null for all
   * @param anyBucket whether the proof is also about rows in another salt bucket than that of their
   *     series
   * @param stamp timestamp of the markers, milliseconds since the epoch
   * @param staying of {@link #staying} of all buckets, if rows may be in several
   */
  public MarkerRows(
      RowReader rows,
      TierTable table,
      long from,
      long to,
      LongPredicate metrics,
      LongPredicate histograms,
      @Nullable IdleSeries series,
      boolean anyBucket,
      long stamp,
      Map<ByteBuffer, Kept> staying) {
    this.rows = rows;
    this.window = new RowWindow(table.schema(), from, to);
    this.metrics = metrics;
    this.histograms = histograms;
    this.series = series;
    this.rollups = table.rollups();
    this.keys = new RowKey(table.schema());
    this.anyBucket = anyBucket;
    this.stamp = stamp;
    this.staying = staying;
    this.cells = rollups == null ? new PointCells(table) : new RollupCells(table, rollups);
  }

  /**
   * Goes to the next row that gets markers, and counts those between that do not.
   *
   * @return false when there is none
   * @throws IOException when storage fails
   * @throws JobException bad input, when a block is corrupt: which rows it has is not known
   */
  public boolean next() throws IOException {
    while (nextRow()) {
      if (reason == null) {
        return true;
      }
    }
    return false;
  }

  /** The same of any row of the metrics, also one that gets none. */
  public boolean nextRow() throws IOException {
    try {
      while (!ended && rows.peek()) {
        if (step()) {
          return true;
        }
      }
      return false;
    } catch (UnreadableBlockException e) {
      throw JobException.badInput("the snapshot has a corrupt block: " + e.getMessage(), e);
    }
  }

  /**
   * Adds the rows that stay for something which they have, by their keys without salt: a TSD merges
   * such a row with that of another bucket, of which the proof therefore says nothing.
   *
   * @param max most rows
   * @throws IOException when storage fails
   * @throws JobException bad input, when there are more, or a block is corrupt
   */
  void staying(Map<ByteBuffer, Kept> all, int max) throws IOException {
    while (nextRow()) {
      if (reason != null && reason != Kept.ANNOTATIONS && reason != Kept.EMPTY) {
        all.merge(unsalted(), reason, (a, b) -> a.compareTo(b) < 0 ? a : b);
        if (all.size() > max) {
          throw JobException.badInput(
              ("with --any-bucket at most %s rows of a day may stay for what they have"
                      + " (histograms, NaN, unknown columns), found more")
                  .formatted(max));
        }
      }
    }
  }

  private ByteBuffer unsalted() {
    return ByteBuffer.wrap(row, keys.metricOffset(), row.length - keys.metricOffset()).slice();
  }

  /** Passes the next row, or rows that are not meant; returns whether it is meant. */
  private boolean step() throws IOException {
    byte[] key = rows.rowArray();
    int off = rows.rowOffset();
    int len = rows.rowLength();
    if (len < keys.tagsOffset()) {
      // No metric and time: of no proof.
      int unused = rows.read(CellVisitor.PASS_OVER);
      return false;
    }
    if (!window.contains(key, off, len)) {
      return seek(window.nextAfter(key, off, len));
    }
    long metric = keys.metricUid(key, off);
    if (!metrics.test(metric)) {
      return seek(window.nextMetric(key, off, len));
    }
    if (series != null && !series.contains(key, off, len, keys)) {
      int unused = rows.read(CellVisitor.PASS_OVER);
      return false;
    }
    row = Arrays.copyOfRange(key, off, off + len);
    cells.begin(row, keys.baseTime(row, 0), histograms.test(metric));
    if (rows.read(cells) == 0) {
      return false;
    }
    reason = isFailed(row) ? Kept.FAILED : cells.reason();
    if (reason == null && !staying.isEmpty()) {
      reason = staying.get(unsalted());
    }
    if (reason != null) {
      kept.merge(reason, 1L, Long::sum);
      return true;
    }
    counts.merge(metric, count(), Count::plus);
    return true;
  }

  private boolean isFailed(byte[] key) {
    KeyProblem problem = keys.check(key, 0, key.length);
    long time = keys.baseTime(key, 0);
    return (problem != null && !(anyBucket && problem == KeyProblem.WRONG_SALT))
        || (rollups != null && rollups.baseTime(time) != time);
  }

  private boolean seek(byte @Nullable [] next) throws IOException {
    if (next == null) {
      ended = true;
    } else {
      rows.seek(next);
    }
    return false;
  }

  /** Why the row gets no markers; null if it gets some. */
  public @Nullable Kept reason() {
    return reason;
  }

  /** What the row has, if it gets markers. */
  public Count count() {
    int annotated = cells.annotations() > 0 ? 1 : 0;
    return new Count(1 - annotated, annotated, cells.points());
  }

  /** The newest timestamp of the cells of the row, milliseconds since the epoch. */
  public long newest() {
    return cells.newest;
  }

  /** The key of the row, as the table has it. */
  public byte[] row() {
    return row.clone();
  }

  /** The markers of the row, in the order of an HFile; at least one. */
  public List<Cell> markers() {
    if (cells.annotations() == 0) {
      return List.of(new KeyValue(row, FAMILY, null, stamp, KeyValue.Type.DeleteFamily));
    }
    List<Cell> markers = new ArrayList<>();
    for (Cell cell : cells.ofPoints) {
      byte[] column = CellUtil.cloneQualifier(cell);
      markers.add(new KeyValue(row, FAMILY, column, stamp, KeyValue.Type.DeleteColumn));
    }
    return markers;
  }

  /** The cells of the row that its markers hide, in the order of an HFile. */
  public List<Cell> cells() {
    List<Cell> all = new ArrayList<>(cells.ofPoints);
    all.sort(CellComparator.getInstance());
    return all;
  }

  /** Rows that have got markers so far, by the UID of their metric. */
  public Map<Long, Count> counts() {
    return Map.copyOf(counts);
  }

  /** Rows that have got none so far, by reason. */
  public Map<Kept, Long> kept() {
    return Map.copyOf(kept);
  }

  /** The cells of a row; reused. */
  private abstract static class RowCells implements CellVisitor {
    final List<Cell> ofPoints = new ArrayList<>();
    byte[] row = {};
    boolean failed;
    long newest;

    /**
     * Begins a row.
     *
     * @param key stays unchanged
     * @param base its time, seconds since the epoch
     * @param withHistograms whether histograms go, too
     */
    void begin(byte[] key, long base, boolean withHistograms) {
      row = key;
      restart();
    }

    @Override
    public void restart() {
      ofPoints.clear();
      failed = false;
      newest = Long.MIN_VALUE;
    }

    @Override
    public void cell(
        byte[] qualifier,
        int qualifierOffset,
        int qualifierLength,
        byte[] value,
        int valueOffset,
        int valueLength,
        long timestamp) {
      newest = Math.max(newest, timestamp);
      try {
        if (add(
            qualifier,
            qualifierOffset,
            qualifierLength,
            value,
            valueOffset,
            valueLength,
            timestamp)) {
          ofPoints.add(
              new KeyValue(
                  row,
                  0,
                  row.length,
                  FAMILY,
                  0,
                  FAMILY.length,
                  qualifier,
                  qualifierOffset,
                  qualifierLength,
                  timestamp,
                  KeyValue.Type.Put,
                  value,
                  valueOffset,
                  valueLength));
        }
      } catch (RowException e) {
        failed = true;
      }
    }

    /**
     * Adds a cell.
     *
     * @return whether it goes if the row does
     * @throws RowException when it is corrupt
     */
    abstract boolean add(
        byte[] q, int qOff, int qLen, byte[] value, int vOff, int vLen, long timestamp)
        throws RowException;

    abstract int annotations();

    abstract long points();

    /** Why the row gets no marker; null if it gets one. */
    abstract @Nullable Kept reason();
  }

  /** Of the data table. */
  private static final class PointCells extends RowCells {
    private final TierTable table;
    private final RowMerger merger;
    private final PointSummary summary = new PointSummary();
    private final RowHistograms received = new RowHistograms();
    private final BucketHistogram sum;
    private boolean withHistograms;

    PointCells(TierTable table) {
      this.table = table;
      this.merger = new RowMerger(table.schema());
      this.sum = new BucketHistogram(table.aggregators().codecs());
    }

    @Override
    void begin(byte[] key, long base, boolean goHistograms) {
      withHistograms = goHistograms;
      merger.receive(goHistograms ? received : null);
      super.begin(key, base, goHistograms);
    }

    @Override
    public void restart() {
      super.restart();
      merger.reset();
    }

    @Override
    boolean add(byte[] q, int qOff, int qLen, byte[] value, int vOff, int vLen, long timestamp)
        throws RowException {
      merger.add(q, qOff, qLen, value, vOff, vLen, timestamp);
      return table.isOfProof(q, qOff, qLen)
          && (withHistograms || ColumnKind.of(q, qOff, qLen) != ColumnKind.HISTOGRAM);
    }

    @Override
    int annotations() {
      return merger.annotations();
    }

    @Override
    long points() {
      return merger.pointsRead() + (withHistograms ? merger.histograms() : 0L);
    }

    /** Whether the row fails or stays for its histograms, as in the comparison of the proof. */
    private boolean hasBrokenHistograms() {
      try {
        received.sort();
        return !sum.isSum(received);
      } catch (CorruptCellException e) {
        return true;
      }
    }

    @Override
    @Nullable Kept reason() {
      PointBuffer merged;
      try {
        merged = merger.merge();
      } catch (RowException e) {
        return Kept.FAILED;
      }
      summary.clear();
      summary.addAll(merged, 0, merged.size());
      if (failed
          || (summary.count() > 0 && !summary.isFinite())
          || (withHistograms && hasBrokenHistograms())) {
        return Kept.FAILED;
      } else if (merger.histograms() > 0 && !withHistograms) {
        return Kept.HISTOGRAMS;
      } else if (merger.unknownColumns() > 0) {
        return Kept.UNKNOWN_COLUMNS;
      } else if (summary.count() < merged.size()) {
        return Kept.NOT_A_NUMBER;
      } else if (merger.ambiguousDuplicates() > 0) {
        return Kept.AMBIGUOUS_DUPLICATES;
      } else if (merged.size() + merger.histograms() > 0) {
        return null;
      }
      return merger.annotations() > 0 ? Kept.ANNOTATIONS : Kept.EMPTY;
    }
  }

  /** Of a rollup table: all must be rollups that proofs are about. */
  private static final class RollupCells extends RowCells {
    private final RollupInterval rollups;
    private final StoredCells stored;
    private int used;

    RollupCells(TierTable table, RollupInterval rollups) {
      this.rollups = rollups;
      this.stored =
          new StoredCells(
              table.name(),
              table.aggregators(),
              rollups.interval(),
              rollups.intervalsPerRow(),
              table.schema().fixDuplicates());
    }

    @Override
    void begin(byte[] key, long base, boolean withHistograms) {
      super.begin(key, base, withHistograms);
      stored.begin(key, Aggregators.FOUR);
      used = (int) ((rollups.rowEnd(base) - base) / rollups.seconds());
    }

    @Override
    public void restart() {
      super.restart();
      stored.restart();
    }

    @Override
    boolean add(byte[] q, int qOff, int qLen, byte[] value, int vOff, int vLen, long timestamp) {
      stored.cell(q, qOff, qLen, value, vOff, vLen, timestamp);
      return true;
    }

    @Override
    int annotations() {
      return 0;
    }

    @Override
    long points() {
      return ofPoints.size();
    }

    @Override
    @Nullable Kept reason() {
      return stored.kept(used);
    }
  }
}
