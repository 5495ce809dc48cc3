package io.tsdbsuite.query.read;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.row.CorruptCellException;
import io.tsdbsuite.format.row.DuplicateConflictException;
import io.tsdbsuite.format.row.HistogramColumn;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowHistograms;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import net.opentsdb.core.DataPoint;
import net.opentsdb.core.HistogramPieces;
import net.opentsdb.core.IllegalDataException;
import net.opentsdb.core.RawSpan;
import net.opentsdb.core.SeekableView;
import net.opentsdb.core.TSDB;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Rows with histograms: of a histogram table, and of the data table, whose points become sketches.
 *
 * <p>The times of a raw row are cut into parts that no bucket of the downsampler crosses, of the
 * width of the narrowest rollups at most. Of a part the histogram cells count; if there are none,
 * the sketch of its points. So each rollup that is proven is the sum of its parts: of one that
 * would have both, as of one of which a part has both, nothing is proven.
 */
final class HistogramRows implements RowReader {
  private static final int MILLIS = 1000;

  private final TSDB tsdb;
  private final HistogramCodecs codecs;
  private final RowKey keys;
  private final Clip pieces;
  private final RowMerger points;
  private final RowMerger cells;
  private final RowHistograms histograms = new RowHistograms();
  private final Sketch sketch = new Sketch();
  private final long width;
  private final @Nullable LongUnaryOperator partEnd;
  private final boolean annotations;
  private long[] times = new long[64];
  private double[] values = new double[64];

  private HistogramRows(
      TSDB tsdb,
      StorageSchema schema,
      HistogramCodecs codecs,
      TimeRanges pieces,
      long width,
      @Nullable LongUnaryOperator partEnd,
      boolean annotations) {
    this.tsdb = tsdb;
    this.codecs = codecs;
    this.keys = new RowKey(schema);
    this.pieces = new Clip(pieces);
    this.points = new RowMerger(schema);
    this.cells = new RowMerger(schema);
    this.width = width;
    this.partEnd = partEnd;
    this.annotations = annotations;
    cells.receive(histograms);
  }

  /**
   * Rows of a histogram table.
   *
   * @param pieces the times that count
   * @param width of a rollup, milliseconds
   */
  static HistogramRows stored(
      TSDB tsdb, StorageSchema schema, HistogramCodecs codecs, TimeRanges pieces, long width) {
    return new HistogramRows(tsdb, schema, codecs, pieces, width, null, false);
  }

  /**
   * Rows of the data table.
   *
   * @param pieces the times that count
   * @param partEnd the end of the part of a time, milliseconds
   * @param annotations whether they are wanted
   */
  static HistogramRows raw(
      TSDB tsdb,
      StorageSchema schema,
      HistogramCodecs codecs,
      TimeRanges pieces,
      LongUnaryOperator partEnd,
      boolean annotations) {
    return new HistogramRows(tsdb, schema, codecs, pieces, 1, partEnd, annotations);
  }

  @Override
  public void read(List<KeyValue> row, ScannedSeries series) {
    byte[] key = row.get(0).key();
    long baseTime = keys.baseTime(key, 0);
    long base = baseTime * MILLIS;
    // A scan may go over rows of other pieces: whatever is wrong in them is not read.
    if (!pieces.hasAny(base, base + (long) MILLIS * RowKey.ROW_SPAN_SECONDS)) {
      return;
    }
    HistogramPieces found = series.histograms;
    if (found == null) {
      found = new HistogramPieces(tsdb, series.key());
      series.histograms = found;
    }
    readCells(row);
    if (partEnd == null) {
      for (int i = nextCell(base, 0); i < histograms.size(); i = nextCell(base, i + 1)) {
        long time = base + histograms.offsetMillis(i);
        if (Math.floorMod(time, width) != 0) {
          throw new IllegalDataException(
              "a histogram must begin at a multiple of " + width + " ms, found " + time);
        }
        series.otherBytes += add(found, time, i);
      }
      return;
    }
    series.otherBytes += addParts(base, readPoints(row, base), partEnd, found);
    if (annotations && AnnotationRows.isOf(baseTime, pieces)) {
      AnnotationRows.readAll(row, series);
    }
  }

  private void readCells(List<KeyValue> row) {
    cells.reset();
    try {
      for (KeyValue cell : row) {
        byte[] q = cell.qualifier();
        if (isHistogram(cell)) {
          byte[] v = cell.value();
          cells.add(q, 0, q.length, v, 0, v.length, cell.timestamp());
        }
      }
      histograms.sort();
    } catch (CorruptCellException e) {
      // OpenTSDB would leave it out, or count it twice.
      throw new IllegalDataException("histograms of row " + row.get(0) + ": " + e.getMessage(), e);
    }
  }

  private static boolean isHistogram(KeyValue cell) {
    byte[] q = cell.qualifier();
    return HistogramColumn.is(q, 0, q.length);
  }

  /** Reads the points of the pieces; their number. */
  private int readPoints(List<KeyValue> row, long base) {
    points.reset();
    try {
      for (KeyValue cell : row) {
        if (!isHistogram(cell)) {
          byte[] q = cell.qualifier();
          byte[] v = cell.value();
          points.add(q, 0, q.length, v, 0, v.length, cell.timestamp());
        }
      }
      PointBuffer merged = points.merge();
      if (points.ambiguousDuplicates() == 0) {
        double[] doubles = merged.doubles();
        int n = 0;
        for (int i = 0; i < merged.size(); i++) {
          n = keep(base + merged.offsetMillis(i), doubles[i], n);
        }
        return n;
      }
    } catch (CorruptCellException | DuplicateConflictException e) {
      // As OpenTSDB reads it, or refuses to.
    }
    RawSpan span = new RawSpan(tsdb, row.get(0).key());
    span.add(row);
    int n = 0;
    if (span.size() > 0) {
      for (SeekableView view = span.iterator(); view.hasNext(); ) {
        DataPoint point = view.next();
        n = keep(point.timestamp(), point.toDouble(), n);
      }
    }
    return n;
  }

  private int keep(long time, double value, int n) {
    if (!pieces.has(time)) {
      return n;
    }
    if (n == times.length) {
      times = Arrays.copyOf(times, 2 * n);
      values = Arrays.copyOf(values, 2 * n);
    }
    times[n] = time;
    values[n] = value;
    return n + 1;
  }

  /** Adds the parts of a raw row; the heap that they hold. */
  private long addParts(long base, int n, LongUnaryOperator end, HistogramPieces to) {
    long bytes = 0;
    int point = 0;
    int cell = nextCell(base, 0);
    while (point < n || cell < histograms.size()) {
      long next =
          Math.min(
              point < n ? times[point] : Long.MAX_VALUE,
              cell < histograms.size() ? base + histograms.offsetMillis(cell) : Long.MAX_VALUE);
      long partEnd = end.applyAsLong(next);
      boolean anyCell = false;
      while (cell < histograms.size() && base + histograms.offsetMillis(cell) < partEnd) {
        anyCell = true;
        bytes += add(to, base + histograms.offsetMillis(cell), cell);
        cell = nextCell(base, cell + 1);
      }
      int first = point;
      while (point < n && times[point] < partEnd) {
        point++;
      }
      if (!anyCell) {
        bytes += addSketch(to, first, point);
      }
    }
    return bytes;
  }

  /** The first histogram from this one on that is of the pieces. */
  private int nextCell(long base, int from) {
    int i = from;
    while (i < histograms.size() && !pieces.has(base + histograms.offsetMillis(i))) {
      i++;
    }
    return i;
  }

  private long add(HistogramPieces to, long time, int i) {
    int start = histograms.start(i);
    byte[] bytes = Arrays.copyOfRange(histograms.bytes(), start, start + histograms.length(i));
    int codec = histograms.codecId(i);
    return to.add(time, codec, bytes, 1, HistogramCodecs.SKETCH.equals(codecs.codec(codec)));
  }

  /** Adds the sketch of points; of too many bins it is more than one, which are added later. */
  private long addSketch(HistogramPieces to, int from, int end) {
    sketch.clear();
    try {
      sketch.addAll(values, from, end);
    } catch (IllegalArgumentException e) {
      throw new IllegalDataException(
          "percentiles of points from " + times[from] + " ms on: " + e.getMessage(), e);
    }
    if (sketch.isTooWide()) {
      int middle = (from + end) >>> 1;
      return addSketch(to, from, middle) + addSketch(to, middle, end);
    }
    return sketch.count() == 0
        ? 0
        : to.add(
            times[from],
            Objects.requireNonNull(codecs.id(HistogramCodecs.SKETCH)),
            sketch.bytes(),
            end - from,
            true);
  }
}
