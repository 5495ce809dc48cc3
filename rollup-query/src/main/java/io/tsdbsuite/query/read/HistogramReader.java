package io.tsdbsuite.query.read;

import io.tsdbsuite.coverage.Buckets;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.HistogramColumn;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.query.plan.PlannedPieces;
import io.tsdbsuite.query.plan.RawReason;
import io.tsdbsuite.query.run.QueryContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.LongUnaryOperator;
import net.opentsdb.core.DownsamplingSpecification;
import net.opentsdb.core.HistogramPieces;
import net.opentsdb.core.RawQuery;
import net.opentsdb.meta.Annotation;
import net.opentsdb.utils.DateTime;
import org.hbase.async.BinaryPrefixComparator;
import org.hbase.async.CompareFilter.CompareOp;
import org.hbase.async.QualifierFilter;
import org.hbase.async.ScanFilter;
import org.jspecify.annotations.Nullable;

/** Reads the histograms of a sub-query: of histogram tables, and of raw rows. */
final class HistogramReader extends PlanReader<HistogramPieces> {
  private final HistogramCodecs codecs;
  private final LongUnaryOperator partEnd;
  private int bound;

  /**
   * @param partEnd the end of the {@link #parts part} of a raw row that has a time, milliseconds
   */
  HistogramReader(
      Shared shared,
      RawQuery query,
      PlannedPieces plan,
      RawReason.Kind rawReason,
      LongUnaryOperator partEnd,
      QueryContext context) {
    super(shared, query, plan, rawReason, false, context);
    this.codecs = shared.codecs;
    this.partEnd = partEnd;
  }

  /**
   * Parts of raw rows, none of which has times of two buckets of the downsampler.
   *
   * @param narrowest width of the narrowest rollups of the metric, milliseconds
   * @param buckets null if they depend on the first point of a series
   */
  static LongUnaryOperator parts(
      DownsamplingSpecification spec, long narrowest, @Nullable Buckets buckets) {
    if (buckets != null) {
      return time -> Math.min((Math.floorDiv(time, narrowest) + 1) * narrowest, buckets.end(time));
    }
    // Whichever point is the first, edges of buckets are multiples of it.
    String units = DateTime.getDurationUnits(spec.getStringInterval());
    long unit = units.equals("ms") ? 1 : units.equals("s") ? 1000 : 60_000;
    return time -> (Math.floorDiv(time, unit) + 1) * unit;
  }

  @Override
  RowReader rawRows(TimeRanges pieces) {
    return HistogramRows.raw(tsdb, schema, codecs, pieces, partEnd, query.wantsAnnotations());
  }

  @Override
  RowReader rollupRows(RollupInterval interval, boolean packed, TimeRanges pieces) {
    return HistogramRows.stored(tsdb, schema, codecs, pieces, interval.seconds() * 1000);
  }

  @Override
  ScanFilter cells(boolean packed) {
    return new QualifierFilter(
        CompareOp.EQUAL, new BinaryPrefixComparator(new byte[] {HistogramColumn.PREFIX}));
  }

  @Override
  int cellsOfRollup() {
    return 1;
  }

  @Override
  long baseTime(RollupInterval interval, long seconds) {
    return seconds - Math.floorMod(seconds, (long) RowKey.ROW_SPAN_SECONDS);
  }

  @Override
  List<HistogramPieces> chain(Collection<List<ScannedSeries>> parts) {
    List<HistogramPieces> series = new ArrayList<>(parts.size());
    for (List<ScannedSeries> each : parts) {
      HistogramPieces all = new HistogramPieces(tsdb, each.get(0).key());
      List<Annotation> notes = new ArrayList<>(0);
      for (ScannedSeries part : each) {
        notes.addAll(part.annotations());
        if (part.histograms != null) {
          all.addAll(part.histograms);
        }
      }
      if (all.finish(notes)) {
        series.add(all);
        bound = Math.max(bound, all.bound());
      }
    }
    return series;
  }

  /** For the header, after the reading: {@code (within 1 %)}; empty if no sketch was read. */
  String precision() {
    if (bound == 0) {
      return "";
    }
    return " (within " + (bound % 10 == 0 ? "" + bound / 10 : "" + bound / 10.0) + " %)";
  }
}
