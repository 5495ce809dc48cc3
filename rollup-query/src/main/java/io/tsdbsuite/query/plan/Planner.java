package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.Buckets;
import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.query.run.AbortReason;
import io.tsdbsuite.query.run.QueryAbortedException;
import io.tsdbsuite.query.run.StockRunner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import net.opentsdb.core.DownsamplingSpecification;
import net.opentsdb.core.TSSubQuery;
import org.jspecify.annotations.Nullable;

/**
 * Decides from which tables a sub-query is read.
 *
 * <ol>
 *   <li>{@link #rawOnly}: what rollups cannot answer exactly reads raw data.
 *   <li>{@link #plan}: the range of times that OpenTSDB scans for raw data is cut into pieces of
 *       the widest proven rollups that lie inside one output bucket, finer ones, and raw data. A
 *       percentile is read from rollups that are a whole output bucket, or from raw data.
 *   <li>Pieces of rollups, or parts of them, are read from packed tables where these are proven,
 *       too. That changes nothing above: the plan is that of plain tables.
 *   <li>Histograms are read from histogram tables in the same way, and from the points and
 *       histogram cells of raw rows, which OpenTSDB's own reader does not know as one.
 *   <li>Raw data below the floor of the metric may be gone. A piece of them costs infinitely much;
 *       a plan that still needs one is refused.
 * </ol>
 */
public final class Planner {
  /**
   * Buckets that a table does not divide: each has pieces of its own in memory, and no plan has so
   * many scans.
   */
  private static final int MAX_CUT_BUCKETS = 10_000;

  private final RollupTables tables;
  private final Supplier<? extends ProvenTimes> coverage;
  private final LongSupplier clock;
  private final int maxScans;

  /**
   * A planner for these tables.
   *
   * @param coverage the last reading of the coverage
   * @param clock that of {@link ProvenTimes#began}, milliseconds
   * @param maxScans how many scans a plan may have, without regard to salt buckets
   */
  public Planner(
      RollupTables tables,
      Supplier<? extends ProvenTimes> coverage,
      LongSupplier clock,
      int maxScans) {
    this.tables = tables;
    this.coverage = coverage;
    this.clock = clock;
    this.maxScans = maxScans;
  }

  /**
   * Why a sub-query needs raw data, by the sub-query alone; null if rollups can answer it.
   *
   * @param query after {@code validateAndSetQuery}
   * @param metric its name; empty if it has none
   */
  public @Nullable RawReason rawOnly(TSSubQuery query, String metric) {
    RawReason stock = query.isHistogramQuery() ? openTsdbOnly(query, metric) : null;
    if (stock != null) {
      return stock;
    }
    if ("ROLLUP_RAW".equals(String.valueOf(query.getRollupUsage()))) {
      return new RawReason(RawReason.Kind.ROLLUP_RAW, "rollupUsage is ROLLUP_RAW");
    }
    DownsamplingSpecification spec = query.downsamplingSpecification();
    if (spec == null || spec.getFunction() == null) {
      return new RawReason(RawReason.Kind.NOT_DOWNSAMPLED, "not downsampled");
    }
    if (query.isHistogramQuery()) {
      return null;
    }
    RollupFunction function = tables.function(spec.getFunction().toString());
    if (function == null) {
      return new RawReason(
          RawReason.Kind.FUNCTION, spec.getFunction() + " does not follow from rollups");
    }
    if (!tables.store(function)) {
      return new RawReason(
          RawReason.Kind.FUNCTION, "rollup_config has no id for " + function.aggregators());
    }
    return null;
  }

  /** Why OpenTSDB alone answers a query for histograms; null if it does not. */
  private @Nullable RawReason openTsdbOnly(TSSubQuery query, String metric) {
    DownsamplingSpecification spec = query.downsamplingSpecification();
    if (query.getShowHistogramBuckets() || tables.narrowestHistogram(metric) == 0) {
      return new RawReason(
          RawReason.Kind.FUNCTION, "percentiles and histograms are not in rollups");
    }
    if (spec == null || spec.getFunction() == null) {
      return new RawReason(RawReason.Kind.NOT_DOWNSAMPLED, "not downsampled");
    }
    if (spec.getInterval() == 0) {
      return new RawReason(RawReason.Kind.FUNCTION, "OpenTSDB has no 0all of histograms");
    }
    return null;
  }

  /**
   * Raw data alone.
   *
   * @param metric its name; empty if it has none
   */
  public PlannedPieces raw(RawReason reason, String metric, QueryTimes times) {
    return raw(reason, metric, times, coverage.get(), true);
  }

  private PlannedPieces raw(
      RawReason reason, String metric, QueryTimes times, ProvenTimes now, boolean ofRollups) {
    QueryPlan all = QueryPlan.raw(times.from(), times.to(), (table, from, to) -> 0);
    HeldProof proof = new HeldProof(metric, all.pieces(), now, coverage, clock);
    return PlannedPieces.raw(
        reason, all, times, proof, refusal(reason, metric, times, now, ofRollups));
  }

  /**
   * @param ofRollups whether to name the floors of rollups; tables of histograms have none
   */
  private @Nullable QueryAbortedException refusal(
      RawReason reason, String metric, QueryTimes times, ProvenTimes now, boolean ofRollups) {
    long floor = now.rawFloor(metric);
    if (times.from() >= floor) {
      return null;
    }
    if (!now.floorsKnown()) {
      return StockRunner.notKnown(metric, now);
    }
    String data = StockRunner.before(metric, floor);
    boolean changed = reason.kind() == RawReason.Kind.COVERAGE_CHANGED;
    if (changed || !now.reason().isEmpty()) {
      // The floor itself may be that of an old reading.
      return new QueryAbortedException(
          AbortReason.NO_COVERAGE,
          data
              + " may be gone, and no rollups are proven now: "
              + (changed ? reason : now.reason()));
    }
    StringBuilder rollups = new StringBuilder();
    for (RollupInterval interval : intervals()) {
      long gone = now.rollupFloor(interval.interval(), metric);
      if (ofRollups && times.from() < gone) {
        rollups.append(", its ").append(interval.interval()).append(" rollups before ");
        rollups.append(Instant.ofEpochMilli(gone));
      }
    }
    return new QueryAbortedException(
        AbortReason.RAW_GONE, data + " is gone" + rollups + " (" + reason + ")");
  }

  /** The intervals that may be read, the narrowest first. */
  public List<RollupInterval> intervals() {
    List<RollupInterval> intervals = new ArrayList<>(tables.intervals());
    intervals.sort(Comparator.comparingLong(RollupInterval::seconds));
    return intervals;
  }

  /** Whether the rollups that a function needs are made. */
  public boolean stores(DownsamplingSpecification spec) {
    RollupFunction function = tables.function(spec.getFunction().toString());
    return function != null && tables.store(function);
  }

  /** Whether rollups of the downsampler's own interval alone can answer. */
  public boolean isPercentile(DownsamplingSpecification spec) {
    RollupFunction function = tables.function(spec.getFunction().toString());
    return function != null && function.isPercentile();
  }

  /** The pieces of a sub-query that {@link #rawOnly} lets pass. */
  public PlannedPieces plan(
      DownsamplingSpecification spec, String metric, QueryTimes times, CellCosts costs) {
    RollupFunction function = tables.function(spec.getFunction().toString());
    if (function == null) {
      throw new IllegalArgumentException(spec.getFunction() + " does not follow from rollups");
    }
    return plan(function, spec, metric, times, costs);
  }

  /** The pieces of a query for histograms that {@link #rawOnly} lets pass. */
  public PlannedPieces histograms(
      DownsamplingSpecification spec, String metric, QueryTimes times, CellCosts costs) {
    return plan(RollupFunction.HISTOGRAM, spec, metric, times, costs);
  }

  private PlannedPieces plan(
      RollupFunction function,
      DownsamplingSpecification spec,
      String metric,
      QueryTimes times,
      CellCosts costs) {
    // One reading for the whole plan.
    ProvenTimes now = coverage.get();
    long floor = now.rawFloor(metric);
    boolean ofRollups = !function.isHistogram();
    // OpenTSDB's row after the end is an hour, of which rollups are read if they alone are there.
    long rollupsTo = times.rollupsTo() < floor ? times.to() : times.rollupsTo();
    List<QueryPlan.Table> candidates = new ArrayList<>();
    Map<QueryPlan.Table, QueryPlan.Table> packed = new LinkedHashMap<>();
    List<String> levels = new ArrayList<>();
    boolean covered = false;
    boolean cut = false;
    for (RollupInterval interval : tables.intervals()) {
      long width = interval.seconds() * 1000;
      // 0 for 0all. The longest month is longer than getInterval says, never shorter than 28 days.
      if (function.isPercentile()
          ? width == spec.getInterval()
          : spec.getInterval() == 0 || width <= spec.getInterval()) {
        String level = Level.text(interval.interval(), function.level());
        if (!ofRollups && tables.table(level) == null) {
          continue;
        }
        TimeRanges proven = now.proven(level, width, metric);
        TimeRanges read = proven.intersect(TimeRanges.of(times.from(), rollupsTo));
        if (hasManyRemainders(spec, width, read)) {
          cut = true;
        } else {
          QueryPlan.Table table = new QueryPlan.Table(level, width, read);
          candidates.add(table);
          String copy = ofRollups ? tables.packed(interval, function) : null;
          if (copy != null) {
            packed.put(table, new QueryPlan.Table(copy, width, now.proven(copy, width, metric)));
          }
          levels.add(level);
          covered |= !proven.isEmpty();
        }
      }
    }
    if (candidates.isEmpty() && !cut && function.isPercentile()) {
      String text =
          function.level()
              + " of "
              + spec.getStringInterval()
              + " follows only from rollups of this interval";
      return raw(new RawReason(RawReason.Kind.FUNCTION, text), metric, times, now, ofRollups);
    }
    if (candidates.isEmpty()) {
      String text =
          cut ? "no table divides the many buckets" : "no table is as fine as the downsampler";
      return raw(new RawReason(RawReason.Kind.TOO_FINE, text), metric, times, now, ofRollups);
    }
    String rollups =
        function.level().isEmpty() ? "rollups" : "rollups of " + String.join(" or ", levels);
    if (!covered) {
      String text = "no " + rollups + " are proven to be stored";
      return raw(new RawReason(RawReason.Kind.NO_COVERAGE, text), metric, times, now, ofRollups);
    }
    Buckets buckets =
        spec.getInterval() == 0 && times.from() < floor
            ? OutputBuckets.all(times)
            : OutputBuckets.of(
                spec, times.queryStart(), times.queryEnd(), times.from(), times.to());
    if (buckets == null) {
      String text = "the buckets of this calendar depend on the first point";
      return raw(new RawReason(RawReason.Kind.CALENDAR, text), metric, times, now, ofRollups);
    }
    if (function.isPercentile()) {
      candidates.replaceAll(
          table -> {
            QueryPlan.Table coinciding =
                new QueryPlan.Table(
                    table.interval(),
                    table.width(),
                    buckets.coinciding(table.proven(), table.width()));
            QueryPlan.Table copy = packed.remove(table);
            if (copy != null) {
              packed.put(coinciding, copy);
            }
            return coinciding;
          });
    }
    QueryPlan.Costs cells = costs.of(function, packed.values());
    QueryPlan.Costs all =
        (table, from, to) ->
            table == null && from < floor ? Double.POSITIVE_INFINITY : cells.of(table, from, to);
    QueryPlan plan =
        QueryPlan.cheapest(times.from(), times.to(), buckets, candidates, all, maxScans);
    if (plan.isRaw()) {
      boolean none =
          QueryPlan.cheapest(
                  times.from(),
                  times.to(),
                  buckets,
                  candidates,
                  (table, from, to) -> table == null ? to - from : 0,
                  Integer.MAX_VALUE)
              .isRaw();
      RawReason reason =
          none
              ? new RawReason(
                  RawReason.Kind.OUTSIDE_COVERAGE,
                  "no proven "
                      + rollups
                      + (function.isPercentile() ? " are whole buckets" : " lie inside a bucket"))
              : times.from() < floor
                  ? new RawReason(
                      RawReason.Kind.OUTSIDE_COVERAGE,
                      rollups
                          + " are not proven for all of its buckets"
                          + (rollupsTo > times.rollupsTo()
                              ? " and the hour after the end, which explicitTags reads"
                              : ""))
                  : new RawReason(RawReason.Kind.CHEAPER, "raw data cost less");
      return raw(reason, metric, times, now, ofRollups);
    }
    PlannedPieces plain =
        PlannedPieces.of(
            plan,
            function,
            PlanSize.of(plan.scans(), function, tables),
            new HeldProof(metric, plan.pieces(), now, coverage, clock));
    QueryPlan copied = plan.withCopies(packed, all, maxScans);
    if (copied == plan) {
      return plain;
    }
    // A copy is proven to be equal, and that of which it is one to be right.
    List<QueryPlan.Piece> pieces = plan.pieces();
    pieces.addAll(copied.pieces());
    return plain.packed(
        copied,
        PlanSize.of(copied.scans(), function, tables),
        new HeldProof(metric, pieces, now, coverage, clock));
  }

  /** Whether each of very many buckets would be cut into rollups and raw data. */
  private static boolean hasManyRemainders(
      DownsamplingSpecification spec, long width, TimeRanges read) {
    if (spec.getInterval() == 0 || read.isEmpty()) {
      return false;
    }
    long from = read.from(0);
    long to = read.to(read.size() - 1);
    // Hours of a calendar begin at half hours in some zones.
    boolean isShifted =
        spec.useCalendar()
            && (spec.getTimezone().getOffset(from) % width != 0
                || spec.getTimezone().getOffset(to) % width != 0);
    return (spec.getInterval() % width != 0 || isShifted)
        && (to - from) / spec.getInterval() > MAX_CUT_BUCKETS;
  }
}
