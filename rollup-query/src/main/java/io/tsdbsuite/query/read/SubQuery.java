package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.query.estimate.SeriesEstimate;
import io.tsdbsuite.query.page.SubPlan;
import io.tsdbsuite.query.plan.CellCosts;
import io.tsdbsuite.query.plan.NoLongerProvenException;
import io.tsdbsuite.query.plan.OutputBuckets;
import io.tsdbsuite.query.plan.PlanSize;
import io.tsdbsuite.query.plan.PlannedPieces;
import io.tsdbsuite.query.plan.QueryTimes;
import io.tsdbsuite.query.plan.RawReason;
import io.tsdbsuite.query.plan.RollupFunction;
import io.tsdbsuite.query.run.AbortReason;
import io.tsdbsuite.query.run.QueryAbortedException;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryTasks;
import io.tsdbsuite.query.shadow.ShadowCheck;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.DownsamplingSpecification;
import net.opentsdb.core.RawQuery;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.uid.NoSuchUniqueId;
import net.opentsdb.uid.UniqueId;
import org.jspecify.annotations.Nullable;

/** A sub-query whose names are resolved: its plan, its cost, and its answer. */
final class SubQuery {
  /** Heap of a value of rollups, and of a point beside others, as the answer holds them. */
  private static final int BYTES_OF_VALUE = 32;

  private static final int BYTES_OF_RAW_POINT = 12;

  /** Heap of a histogram: a sketch of an hour or a day has some hundred bytes. */
  private static final int BYTES_OF_HISTOGRAM = 600;

  /** Readings of rollups before raw data is read: the coverage may change while they are read. */
  private static final int ATTEMPTS = 2;

  /** OpenTSDB looks at the name of a TSUID's metric only if it finds points. */
  private static final String NO_NAME = "the metric has no name";

  private final RollupQueryRunner runner;
  private final TSQuery query;
  private final TSSubQuery sub;
  private final int index;
  private final RawQuery raw;
  private final String metric;
  private final String stock;
  private final @Nullable RawReason rawOnly;

  /** Whether it is a query for histograms that OpenTSDB alone does not answer. */
  private final boolean histograms;

  private final QueryContext context;
  private final QueryTimes times;

  /** From here on no raw data is expected, milliseconds since the epoch. */
  private final long until;

  private SeriesEstimate estimate = SeriesEstimate.UNKNOWN;

  /** The estimate by which the plan was made. */
  private SeriesEstimate plannedFor = SeriesEstimate.UNKNOWN;

  /** Whether the series were counted for this query, and are not known from another. */
  private volatile boolean counted;

  private @Nullable PlannedPieces plan;

  /** Readings that were begun; those of plain rows in place of packed ones do not count. */
  private int attempts;

  /** Whether packed rows could not be read. */
  private boolean plainOnly;

  private @Nullable SpanReader<?> reader;
  private @Nullable Exception stopped;

  private SubQuery(
      RollupQueryRunner runner,
      TSQuery query,
      int index,
      RawQuery raw,
      String metric,
      String stock,
      @Nullable RawReason rawOnly,
      QueryContext context) {
    this.runner = runner;
    this.query = query;
    this.sub = query.getQueries().get(index);
    this.index = index;
    this.raw = raw;
    this.metric = metric;
    this.stock = stock;
    this.rawOnly = rawOnly;
    this.histograms =
        sub.isHistogramQuery() && (rawOnly == null || rawOnly.kind() == RawReason.Kind.ROLLUP_RAW);
    this.context = context;
    long end = raw.scanEnd();
    this.times =
        new QueryTimes(
            query.startTime(),
            query.endTime(),
            raw.scanStart() * 1000,
            end * 1000,
            (end + (raw.readsRowAfterEnd() ? RowKey.ROW_SPAN_SECONDS : 0)) * 1000);
    // A TSD stores points of the future, too. What the plugin reads is counted, whatever was
    // expected; what OpenTSDB reads itself has no other limit.
    this.until = raw.isReadable() || histograms ? runner.seconds() * 1000 : Long.MAX_VALUE;
  }

  /** Resolves the names. Fails as OpenTSDB does. */
  static Deferred<SubQuery> of(
      RollupQueryRunner runner, TSQuery query, int index, QueryContext context) {
    return RawQuery.of(runner.tsdb(), query, index)
        .addCallbackDeferring(
            raw -> {
              String stock =
                  query.getDelete() ? "delete" : raw.isPreAggregate() ? "pre-aggregates" : "";
              Deferred<String> metric =
                  stock.isEmpty() ? raw.metricName() : Deferred.fromResult("");
              return metric.addCallbacks(
                  name ->
                      new SubQuery(
                          runner,
                          query,
                          index,
                          raw,
                          name,
                          stock,
                          rawOnly(runner, raw, query.getQueries().get(index), name),
                          context),
                  (Exception cause) -> {
                    if (!(cause instanceof NoSuchUniqueId)) {
                      throw cause;
                    }
                    RawReason rawOnly = rawOnly(runner, raw, query.getQueries().get(index), "");
                    RawReason noName =
                        rawOnly == null
                            ? new RawReason(RawReason.Kind.OWN_READER, NO_NAME)
                            : rawOnly;
                    return new SubQuery(runner, query, index, raw, "", stock, noName, context);
                  });
            });
  }

  private static @Nullable RawReason rawOnly(
      RollupQueryRunner runner, RawQuery raw, TSSubQuery sub, String metric) {
    RawReason reason = runner.planner().rawOnly(sub, metric);
    String own = raw.ownReaderOnly();
    return reason != null || own.isEmpty() ? reason : new RawReason(RawReason.Kind.OWN_READER, own);
  }

  /** Its place in the query. */
  int index() {
    return index;
  }

  /** Plans, as {@link #plan}, and refuses what would need raw data that may be gone. */
  void require() {
    plan();
    if (plan != null) {
      require(plan);
    }
  }

  private void require(PlannedPieces planned) {
    QueryAbortedException refusal = planned.refusal();
    if (refusal != null) {
      context.note(index, planned.toString());
      context.abort(refusal.reason(), refusal.getMessage() + advice(planned));
      context.check();
    }
  }

  /** Plans with what is known of the series now, unless the last plan was made with the same. */
  void plan() {
    SeriesEstimate known = counted ? null : runner.estimates().of(raw.selection());
    if (known != null) {
      estimate = known;
    }
    if (stock.isEmpty() && (plan == null || estimate != plannedFor)) {
      plan =
          rawOnly == null
              ? plan(sub.downsamplingSpecification(), times)
              : runner.planner().raw(rawOnly, metric, times);
      plannedFor = estimate;
    }
  }

  private PlannedPieces plan(DownsamplingSpecification spec, QueryTimes of) {
    CellCosts costs = estimate.costs(PlanReader.buckets(runner.schema()));
    if (histograms) {
      return runner.planner().histograms(spec, metric, of, costs);
    }
    PlannedPieces found = runner.planner().plan(spec, metric, of, costs);
    PlannedPieces plain = found.plain();
    return plain != null && (plainOnly || runner.shared().unreadable.rests(found.scans()))
        ? plain
        : found;
  }

  /** Whether nothing is known of the series. */
  boolean isUnknown() {
    return estimate == SeriesEstimate.UNKNOWN && isEstimated();
  }

  /** Whether what is known of the series is that of another query, of other times perhaps. */
  boolean isOfOthers() {
    return !counted && isEstimated();
  }

  private boolean isEstimated() {
    return stock.isEmpty() && (histograms || !sub.isHistogramQuery());
  }

  /** Counts the series in the last whole hour of the query that is over. */
  Deferred<Object> estimate() {
    long floor = Objects.requireNonNull(plan).rawFloor();
    // Below it are no rows that can be counted.
    long start = Math.max(times.startSeconds(), floor == Long.MAX_VALUE ? 0 : floor / 1000);
    long last = Math.max(start, hour(Math.min(times.endSeconds(), runner.seconds()) - 3600));
    long middle = hour(start + (last - start) / 2);
    return runner
        .counts()
        .of(
            last + " " + middle + " " + raw.selection(),
            () ->
                new KeyScan(
                        runner.tsdb(),
                        runner.schema(),
                        raw,
                        context,
                        runner.threads().rows(context),
                        last,
                        middle)
                    .read())
        .addCallback(
            found -> {
              estimate = found == null ? SeriesEstimate.UNKNOWN : found;
              counted = true;
              if (found != null) {
                runner.estimates().put(raw.selection(), found);
              }
              return null;
            });
  }

  private static long hour(long seconds) {
    return seconds - Math.floorMod(seconds, (long) RowKey.ROW_SPAN_SECONDS);
  }

  private PlanSize size() {
    return size(plan);
  }

  private PlanSize size(@Nullable PlannedPieces planned) {
    return (planned == null ? PlanSize.raw(times) : planned.size()).until(until);
  }

  /** Cells that are read, about; 0 if nothing is known. */
  double cells() {
    return isUnknown() ? 0 : estimate.cells(size());
  }

  /** Heap that is held, about, bytes; 0 if nothing is known. */
  double bytes() {
    return isUnknown() ? 0 : bytes(estimate, plan);
  }

  /** Whether the query might be too large if the selection had so many series. */
  boolean needsEstimate(double series) {
    long maxCells = context.limits().cells();
    long maxBytes = context.limits().bytes();
    SeriesEstimate one = SeriesEstimate.UNKNOWN;
    return isUnknown()
        && ((maxCells > 0 && series * one.cells(size()) > maxCells)
            || (maxBytes > 0 && series * bytes(one, plan) > maxBytes));
  }

  private double bytes(SeriesEstimate of, @Nullable PlannedPieces planned) {
    if (histograms) {
      return of.histograms(size(planned)) * BYTES_OF_HISTOGRAM;
    }
    return planned == null || planned.function() == null
        ? of.values(size(null)) * BYTES_OF_RAW_POINT
        : of.values(size(planned)) * BYTES_OF_VALUE;
  }

  /** The plan for a person, after {@link #plan}. */
  SubPlan explained() {
    if (!stock.isEmpty()) {
      return SubPlan.stock(stock);
    }
    PlannedPieces planned = Objects.requireNonNull(plan);
    QueryAbortedException refusal = planned.refusal();
    if (refusal != null) {
      return SubPlan.refused(refusal.getMessage() + advice(planned));
    }
    SubPlan found = SubPlan.of(planned, size());
    return isUnknown() ? found : found.estimated(estimate);
  }

  /** The narrowest wider downsampler whose plan fits; empty if there is none. */
  String narrowest(double maxCells, double maxBytes) {
    if (stock.isEmpty() && rawOnly == null) {
      DownsamplingSpecification asked = sub.downsamplingSpecification();
      for (String wider : Downsamplers.wider(asked)) {
        PlannedPieces other = plan(Downsamplers.of(wider, query), times);
        if (other.refusal() == null
            && estimate.cells(size(other)) <= maxCells
            && bytes(estimate, other) <= maxBytes) {
          return wider;
        }
      }
    }
    return "";
  }

  /** What would do in place of what was refused: another downsampler, other times, or both. */
  private String advice(PlannedPieces refused) {
    if (Objects.requireNonNull(refused.refusal()).reason() != AbortReason.RAW_GONE) {
      return "";
    }
    List<String> would = new ArrayList<>();
    DownsamplingSpecification asked = sub.downsamplingSpecification();
    // 0 for 0all.
    long width = asked == null ? 1 : Math.max(1, asked.getInterval());
    RawReason.Kind kind = Objects.requireNonNull(refused.reason()).kind();
    boolean anyTable =
        kind != RawReason.Kind.OWN_READER
            && kind != RawReason.Kind.ROLLUP_RAW
            && raw.ownReaderOnly().isEmpty()
            && (histograms || !sub.isHistogramQuery());
    if (anyTable && rawOnly == null && asked.getInterval() == 0) {
      for (RollupInterval table : runner.planner().intervals()) {
        QueryTimes whole = times.within(table.seconds() * 1000);
        if (whole != null && plan(asked, whole).refusal() == null) {
          would.add("begin and end at multiples of " + table.interval() + " (UTC)");
          break;
        }
      }
    } else if (anyTable) {
      String other =
          answered(rawOnly == null ? Downsamplers.wider(asked) : Downsamplers.avg(width));
      if (other.isEmpty() && rawOnly == null && runner.planner().isPercentile(asked)) {
        other = answered(Downsamplers.narrower(asked));
      }
      if (!other.isEmpty()) {
        would.add("downsample by " + other);
      }
    }
    long first = -Math.floorDiv(-refused.rawFloor(), width) * width;
    if (first <= query.endTime()) {
      would.add("ask for times from " + Instant.ofEpochMilli(first) + " on");
    }
    return would.isEmpty() ? "" : ": " + String.join(", or ", would);
  }

  /**
   * The narrowest downsampler of the same function, without one {@code avg}, with which raw data
   * that is gone is not needed. Plans.
   *
   * @return empty if there is none, or none is needed
   */
  String widerForGone() {
    plan();
    QueryAbortedException refusal = plan == null ? null : plan.refusal();
    if (refusal == null
        || refusal.reason() != AbortReason.RAW_GONE
        || !raw.ownReaderOnly().isEmpty()) {
      return "";
    }
    if (rawOnly == null) {
      return answered(Downsamplers.wider(sub.downsamplingSpecification()));
    }
    return rawOnly.kind() == RawReason.Kind.NOT_DOWNSAMPLED && !sub.isHistogramQuery()
        ? answered(Downsamplers.avg(1))
        : "";
  }

  /** The first downsampler with which raw data that is gone is not needed; empty for none. */
  private String answered(List<String> downsamplers) {
    for (String other : downsamplers) {
      DownsamplingSpecification spec = Downsamplers.of(other, query);
      if ((histograms || runner.planner().stores(spec))
          && plan(spec, times.rounded(spec.getInterval())).refusal() == null) {
        return other;
      }
    }
    return "";
  }

  /** Reads, after {@link #plan}. */
  Deferred<DataPoints[]> read() {
    PlannedPieces planned = plan;
    RollupFunction function = planned == null ? null : planned.function();
    synchronized (this) {
      if (stopped != null) {
        return Deferred.fromError(stopped);
      }
    }
    if (!stock.isEmpty()) {
      context.note(index, "OpenTSDB (" + stock + ")");
      return RawQuery.stock(runner.tsdb(), query, index);
    }
    if (planned != null && function != null) {
      return read(planned, function);
    }
    return raw(Objects.requireNonNull(Objects.requireNonNull(planned).reason()));
  }

  /** Ends the reading; OpenTSDB's own cannot be ended. */
  void stop(Exception reason) {
    SpanReader<?> reads;
    synchronized (this) {
      stopped = reason;
      reads = reader;
    }
    if (reads != null) {
      reads.stop(reason);
    }
  }

  private Deferred<DataPoints[]> read(PlannedPieces planned, RollupFunction function) {
    context.note(index, planned.toString());
    attempts++;
    if (histograms) {
      return histograms(planned, RawReason.Kind.BESIDE_ROLLUPS, function)
          .addErrback((Exception failure) -> again(failure));
    }
    boolean counted = function == RollupFunction.AVG || function == RollupFunction.COUNT;
    SeriesReader reads = new SeriesReader(runner.shared(), raw, function, planned, context);
    return answer(
            reads,
            size(planned),
            series -> {
              checkLater(function, planned, series.size(), i -> series.get(i).getTSUIDs());
              return raw.group(series, counted);
            })
        .addErrback((Exception failure) -> again(failure));
  }

  /**
   * @param function null: raw data alone
   */
  private Deferred<DataPoints[]> histograms(
      PlannedPieces planned, RawReason.Kind rawReason, @Nullable RollupFunction function) {
    DownsamplingSpecification spec = sub.downsamplingSpecification();
    HistogramReader reads =
        new HistogramReader(
            runner.shared(),
            raw,
            planned,
            rawReason,
            HistogramReader.parts(
                spec,
                runner.tables().narrowestHistogram(metric),
                OutputBuckets.of(
                    spec, query.startTime(), query.endTime(), times.from(), times.to())),
            context);
    return answer(
        reads,
        size(planned),
        series -> {
          DataPoints[] answer = raw.percentiles(series);
          context.completeNote(index, reads.precision());
          if (function != null) {
            checkLater(function, planned, series.size(), i -> series.get(i).getTSUIDs());
          }
          return answer;
        });
  }

  /** The answer of a reader, which is the one to stop from now on. */
  private <S> Deferred<DataPoints[]> answer(
      SpanReader<S> reads, PlanSize size, Function<List<S>, DataPoints[]> group) {
    synchronized (this) {
      if (stopped != null) {
        return Deferred.fromError(stopped);
      }
      reader = reads;
    }
    long begin = System.nanoTime();
    Deferred<List<S>> reading = reads.read();
    Exception reason;
    synchronized (this) {
      reason = stopped;
    }
    if (reason != null) {
      // It came while the reading began.
      reads.stop(reason);
    }
    return reading.addCallbackDeferring(
        series -> {
          raw.scanned(System.nanoTime() - begin);
          runner.estimates().put(raw.selection(), reads.corrected(estimate, size));
          return QueryTasks.call(
              runner.threads().answers(context),
              context,
              () -> Deferred.fromResult(group.apply(series)));
        });
  }

  /** Has the rollups checked after the answer, if they are chosen. */
  private void checkLater(
      RollupFunction function,
      PlannedPieces planned,
      int series,
      IntFunction<List<String>> tsuids) {
    ShadowCheck check = runner.shadow();
    if (check != null && check.choose()) {
      context.onEnd(
          check.of(
              metric,
              raw.metric(),
              function,
              planned.pieces(),
              planned.rawFloor(),
              series,
              i -> UniqueId.stringToUid(tsuids.apply(i).get(0))));
    }
  }

  /** Another attempt, if the failure allows it. */
  private Object again(Exception failure) throws Exception {
    if (failure instanceof NotExactException) {
      return raw(RawReason.Kind.OWN_READER, failure);
    }
    PlannedPieces plain = plan == null ? null : plan.plain();
    if (failure instanceof UnreadablePackedException && plain != null) {
      runner.shared().unreadable.found((UnreadablePackedException) failure);
      plan = plain;
      plainOnly = true;
      attempts--;
      return QueryTasks.call(runner.threads().rows(context), context, this::readPlain);
    }
    if (failure instanceof NoLongerProvenException) {
      return attempts < ATTEMPTS
          ? QueryTasks.call(
              runner.threads().rows(context),
              context,
              () -> {
                plan = null;
                require();
                return read();
              })
          : raw(RawReason.Kind.COVERAGE_CHANGED, failure);
    }
    throw failure;
  }

  /** Reads plain rows in place of packed ones: they may be too many. */
  private Deferred<DataPoints[]> readPlain() {
    boolean fits = context.limits().allow((long) cells(), (long) bytes());
    if (needsEstimate(QueryRun.FEW_SERIES) || (!fits && isOfOthers())) {
      return estimate()
          .addCallbackDeferring(
              done ->
                  QueryTasks.call(
                      runner.threads().rows(context),
                      context,
                      () -> {
                        require();
                        return expectAndRead();
                      }));
    }
    return expectAndRead();
  }

  private Deferred<DataPoints[]> expectAndRead() {
    context.expect((long) cells(), (long) bytes(), () -> QueryRun.advice(narrowest()));
    return read();
  }

  /** The narrowest wider downsampler with which the sub-query would do alone. */
  private String narrowest() {
    long maxCells = context.limits().cells();
    long maxBytes = context.limits().bytes();
    return narrowest(
        maxCells == 0 ? Double.MAX_VALUE : maxCells, maxBytes == 0 ? Double.MAX_VALUE : maxBytes);
  }

  private Deferred<DataPoints[]> raw(RawReason.Kind kind, Exception cause) {
    return raw(new RawReason(kind, String.valueOf(cause.getMessage())));
  }

  private Deferred<DataPoints[]> raw(RawReason reason) {
    context.check();
    PlannedPieces all = runner.planner().raw(reason, metric, times);
    require(all);
    context.note(index, all.toString());
    attempts++;
    Deferred<DataPoints[]> answer;
    if (histograms && reason.kind() != RawReason.Kind.OWN_READER) {
      answer = histograms(all, reason.kind(), null);
    } else if (raw.isReadable()) {
      answer =
          answer(
              new RawSpanReader(runner.shared(), raw, reason.kind(), context),
              size(null),
              series -> raw.group(series, false));
    } else {
      answer = raw.run();
    }
    return answer
        .addCallback(
            points -> {
              all.checkProof();
              return points;
            })
        .addErrback((Exception failure) -> again(failure));
  }
}
