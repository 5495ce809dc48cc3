package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.Buckets;
import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.RollupInterval;
import java.util.ArrayList;
import java.util.List;
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
 *       the widest proven rollups that lie inside one output bucket, finer ones, and raw data.
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
   */
  public @Nullable RawReason rawOnly(TSSubQuery query) {
    if (query.isHistogramQuery()) {
      return new RawReason(
          RawReason.Kind.FUNCTION, "percentiles and histograms are not in rollups");
    }
    if ("ROLLUP_RAW".equals(String.valueOf(query.getRollupUsage()))) {
      return new RawReason(RawReason.Kind.ROLLUP_RAW, "rollupUsage is ROLLUP_RAW");
    }
    DownsamplingSpecification spec = query.downsamplingSpecification();
    if (spec == null || spec.getFunction() == null) {
      return new RawReason(RawReason.Kind.NOT_DOWNSAMPLED, "not downsampled");
    }
    RollupFunction function = RollupFunction.of(spec.getFunction().toString());
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

  /** The pieces of a sub-query that {@link #rawOnly} lets pass. */
  public PlannedPieces plan(
      DownsamplingSpecification spec, String metric, QueryTimes times, CellCosts costs) {
    RollupFunction function = RollupFunction.of(spec.getFunction().toString());
    if (function == null) {
      throw new IllegalArgumentException(spec.getFunction() + " does not follow from rollups");
    }
    // One reading for the whole plan.
    ProvenTimes now = coverage.get();
    List<QueryPlan.Table> candidates = new ArrayList<>();
    boolean covered = false;
    boolean cut = false;
    for (RollupInterval interval : tables.intervals()) {
      long width = interval.seconds() * 1000;
      // 0 for 0all. The longest month is longer than getInterval says, never shorter than 28 days.
      if (spec.getInterval() == 0 || width <= spec.getInterval()) {
        TimeRanges proven = now.proven(interval.interval(), width, metric);
        TimeRanges read = proven.intersect(TimeRanges.of(times.from(), times.rollupsTo()));
        if (hasManyRemainders(spec, width, read)) {
          cut = true;
        } else {
          candidates.add(new QueryPlan.Table(interval.interval(), width, read));
          covered |= !proven.isEmpty();
        }
      }
    }
    if (candidates.isEmpty()) {
      return raw(
          RawReason.Kind.TOO_FINE,
          cut ? "no table divides the many buckets" : "no table is as fine as the downsampler",
          times);
    }
    if (!covered) {
      return raw(RawReason.Kind.NO_COVERAGE, "no rollups are proven to be stored", times);
    }
    Buckets buckets =
        OutputBuckets.of(spec, times.queryStart(), times.queryEnd(), times.from(), times.to());
    if (buckets == null) {
      return raw(
          RawReason.Kind.CALENDAR, "the buckets of this calendar depend on the first point", times);
    }
    QueryPlan plan =
        QueryPlan.cheapest(
            times.from(), times.to(), buckets, candidates, costs.of(function), maxScans);
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
      return none
          ? raw(RawReason.Kind.OUTSIDE_COVERAGE, "no proven rollups lie inside a bucket", times)
          : raw(RawReason.Kind.CHEAPER, "raw data cost less", times);
    }
    HeldProof proof = new HeldProof(metric, plan.pieces(), now, coverage, clock);
    return PlannedPieces.of(plan, function, proof);
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

  private static PlannedPieces raw(RawReason.Kind kind, String text, QueryTimes times) {
    return PlannedPieces.raw(new RawReason(kind, text), times);
  }
}
