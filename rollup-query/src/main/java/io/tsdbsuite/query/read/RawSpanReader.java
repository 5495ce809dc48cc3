package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.query.estimate.SeriesEstimate;
import io.tsdbsuite.query.plan.PlanSize;
import io.tsdbsuite.query.plan.RawReason;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryTasks;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.RawQuery;
import net.opentsdb.core.RawSpan;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads raw data for any function, and without a downsampler: OpenTSDB's scanners and its decoding
 * of rows, by scans that have limits and can be stopped.
 */
final class RawSpanReader implements SpanReader<RawSpan> {
  private final PlanReader.Shared shared;
  private final RawQuery query;
  private final RawReason.Kind reason;
  private final QueryContext context;
  private final HeldMemory memory;
  private final PieceScan.Reading reading;
  private final List<PieceScan> scans = new ArrayList<>();
  private volatile @Nullable ScanGroup scanGroup;
  private int series;
  private int kept;
  private double points;

  /**
   * @param reason why raw data are read
   */
  RawSpanReader(
      PlanReader.Shared shared, RawQuery query, RawReason.Kind reason, QueryContext context) {
    this.shared = shared;
    this.query = query;
    this.reason = reason;
    this.context = context;
    this.memory = new HeldMemory(context);
    this.reading =
        new PieceScan.Reading(
            query,
            new RowKey(shared.schema),
            false,
            context,
            memory,
            () -> {},
            shared.threads.rows(context),
            shared.batches);
  }

  @Override
  public Deferred<List<RawSpan>> read() {
    for (int bucket = 0; bucket < PlanReader.buckets(shared.schema); bucket++) {
      int salt = bucket;
      scans.add(
          new PieceScan(
              () -> query.scanner(salt),
              PieceScan.Wait::always,
              this::add,
              shared.counts.raw(reason),
              reading));
    }
    ScanGroup group = new ScanGroup(scans, memory);
    scanGroup = group;
    return group
        .start(PlanReader.atOnce(shared.schema))
        .addCallbackDeferring(
            results -> {
              group.report(query.scanStats(), query.index());
              return QueryTasks.call(
                  shared.threads.answers(context),
                  context,
                  () -> Deferred.fromResult(spans(results)));
            });
  }

  private void add(List<KeyValue> row, ScannedSeries to) {
    RawSpan span = to.span;
    if (span == null) {
      span = new RawSpan(shared.tsdb, to.key());
      to.span = span;
    }
    to.otherBytes += span.add(row);
  }

  private List<RawSpan> spans(List<Map<ByteBuffer, ScannedSeries>> results) {
    List<RawSpan> spans = new ArrayList<>();
    for (Map<ByteBuffer, ScannedSeries> found : results) {
      series += found.size();
      for (ScannedSeries each : found.values()) {
        kept += each.isKept() ? 1 : 0;
        RawSpan span = each.span;
        if (span != null && span.isWanted()) {
          points += span.size();
          spans.add(span);
        }
      }
    }
    return spans;
  }

  @Override
  public void stop(Exception failure) {
    ScanGroup running = scanGroup;
    if (running != null) {
      running.stop(failure);
    }
  }

  @Override
  public SeriesEstimate corrected(SeriesEstimate before, PlanSize size) {
    double cells = 0;
    for (PieceScan scan : scans) {
      cells += scan.cells();
    }
    return before.correctedByRaw(size, series, kept, cells, points);
  }
}
