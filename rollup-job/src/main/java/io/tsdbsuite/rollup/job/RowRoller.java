package io.tsdbsuite.rollup.job;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.DuplicateConflictException;
import io.tsdbsuite.format.row.KeyProblem;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.RowException;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.rollup.message.RollupPoint;
import io.tsdbsuite.rollup.read.CellVisitor;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.SkipReason;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.uid.UidNames;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Turns one row of a data table into the rollups of its intervals: {@link #restart}, {@link #cell}
 * for each of its cells, {@link #roll}. A row that fails emits nothing. Reused for every row of a
 * task; for one thread.
 */
final class RowRoller implements CellVisitor {
  private static final int HOUR_SECONDS = 3600;

  private final RowKey rowKey;
  private final RowMerger merger;
  private final UidNames names;
  private final boolean named;
  private final String interval;
  private final int intervalSeconds;
  private final PointSummary[] summaries;
  private final RollupPoint point = new RollupPoint();

  /** Why the row cannot be read; its further cells do not matter then. */
  private RowException failure;

  /**
   * @param named whether rollups must have the names of their series
   */
  RowRoller(StorageSchema schema, RollupInterval interval, UidNames names, boolean named) {
    this.named = named;
    this.rowKey = new RowKey(schema);
    this.merger = new RowMerger(schema);
    this.names = names;
    this.interval = interval.interval();
    this.intervalSeconds = Math.toIntExact(interval.seconds());
    this.summaries = new PointSummary[HOUR_SECONDS / intervalSeconds];
    for (int i = 0; i < summaries.length; i++) {
      summaries[i] = new PointSummary();
    }
  }

  /** Begins a row. */
  @Override
  public void restart() {
    merger.reset();
    failure = null;
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
    if (failure != null) {
      return;
    }
    try {
      merger.add(
          qualifier, qualifierOffset, qualifierLength, value, valueOffset, valueLength, timestamp);
    } catch (RowException e) {
      failure = e;
    }
  }

  /**
   * Rolls up the row whose cells have come and enters it into the books.
   *
   * @throws SinkException when the sink cannot take the rollups
   */
  void roll(byte[] key, int off, int len, RollupSink sink, Books books) throws SinkException {
    books.rowRead();
    KeyProblem problem =
        rowKey.isGlobalAnnotation(key, off, len) ? null : rowKey.check(key, off, len);
    if (problem != null) {
      books.rowFailed(
          FailReason.MALFORMED_KEY,
          0,
          "row " + Bytes.toStringBinary(key, off, len) + ": " + problem.rule());
      return;
    }
    PointBuffer points = merge(key, off, len, books);
    if (points == null) {
      return;
    }
    if (points.size() == 0) {
      boolean setAside = merger.annotations() + merger.histograms() > 0;
      books.rowSkipped(setAside ? SkipReason.ANNOTATION_OR_HISTOGRAM : SkipReason.EMPTY, 0);
      return;
    }
    emit(key, off, len, points, sink, books);
  }

  private PointBuffer merge(byte[] key, int off, int len, Books books) {
    PointBuffer points = null;
    if (failure == null) {
      try {
        points = merger.merge();
      } catch (RowException e) {
        failure = e;
      }
    }
    books.contents(merger.pointsRead(), merger.duplicatesDropped(), merger.ambiguousDuplicates());
    books.setAside(
        merger.annotations(), merger.histograms(), merger.unknownColumns(), merger.emptyValues());
    if (failure != null) {
      FailReason reason =
          failure instanceof DuplicateConflictException
              ? FailReason.CONFLICTING_DUPLICATES
              : FailReason.CORRUPT_CELL;
      books.rowFailed(
          reason,
          merger.pointsRead() - merger.duplicatesDropped(),
          "row " + Bytes.toStringBinary(key, off, len) + ": " + failure.getMessage());
    }
    return points;
  }

  private void emit(byte[] key, int off, int len, PointBuffer points, RollupSink sink, Books books)
      throws SinkException {
    long counted = summarise(points);
    if (counted < 0) {
      books.rowFailed(
          FailReason.NOT_FINITE,
          points.size(),
          "row "
              + Bytes.toStringBinary(key, off, len)
              + ": its points or their sum are infinite, which no TSD stores");
      return;
    }
    if (counted == 0) {
      books.rowSkipped(SkipReason.EMPTY, points.size());
      return;
    }
    String unresolved = named ? resolve(key, off, len) : null;
    if (unresolved != null) {
      books.rowFailed(
          FailReason.UNRESOLVED_UID,
          points.size(),
          "row " + Bytes.toStringBinary(key, off, len) + ": " + unresolved);
      return;
    }
    point.row(key, off, len);
    long base = rowKey.baseTime(key, off);
    int emitted = 0;
    for (int i = 0; i < summaries.length; i++) {
      PointSummary summary = summaries[i];
      if (summary.count() > 0) {
        point.set(
            base + (long) i * intervalSeconds,
            interval,
            summary.sum(),
            summary.min(),
            summary.max(),
            summary.count());
        sink.emit(point);
        emitted++;
      }
    }
    books.rowEmitted(counted, points.size() - counted, emitted);
  }

  /** Fills the summaries; answers how many points count, or -1 when a result is not finite. */
  private long summarise(PointBuffer points) {
    long counted = 0;
    double[] values = points.doubles();
    int last = points.size() - 1;
    int from = 0;
    for (int i = 0; i < summaries.length; i++) {
      long end = (i + 1L) * intervalSeconds * 1000;
      int to = from;
      if (points.offsetMillis(last) < end) {
        to = last + 1;
      } else {
        while (points.offsetMillis(to) < end) {
          to++;
        }
      }
      PointSummary summary = summaries[i];
      summary.clear();
      summary.addAll(values, from, to);
      if (summary.count() > 0 && !summary.isFinite()) {
        return -1;
      }
      counted += summary.count();
      from = to;
    }
    return counted;
  }

  /** Names the series; answers which UID has no name, or null. */
  private String resolve(byte[] key, int off, int len) {
    point.clear();
    long metric = rowKey.metricUid(key, off);
    if (!names.lookup(UidKind.METRIC, metric, point.metric())) {
      return nameless(UidKind.METRIC, metric);
    }
    int pairs = rowKey.tagPairs(len);
    for (int i = 0; i < pairs; i++) {
      int tag = point.addTag();
      long tagk = rowKey.tagkUid(key, off, i);
      if (!names.lookup(UidKind.TAGK, tagk, point.tagKey(tag))) {
        return nameless(UidKind.TAGK, tagk);
      }
      long tagv = rowKey.tagvUid(key, off, i);
      if (!names.lookup(UidKind.TAGV, tagv, point.tagValue(tag))) {
        return nameless(UidKind.TAGV, tagv);
      }
    }
    point.sortTags();
    return null;
  }

  private static String nameless(UidKind kind, long uid) {
    return "the UID table has no name for " + kind.qualifier() + " UID " + Long.toHexString(uid);
  }
}
