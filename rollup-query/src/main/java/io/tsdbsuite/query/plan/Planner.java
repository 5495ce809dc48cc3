package io.tsdbsuite.query.plan;

import io.tsdbsuite.coverage.Buckets;
import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.format.rollup.RollupInterval;
import java.util.ArrayList;
import java.util.List;
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
  private final RollupTables tables;
  private final ProvenTimes proven;

  /** A planner for these tables. */
  public Planner(RollupTables tables, ProvenTimes proven) {
    this.tables = tables;
    this.proven = proven;
  }

  /**
   * Why a sub-query needs raw data, by the sub-query alone; null if rollups can answer it.
   *
   * @param query after {@code validateAndSetQuery}
   */
  public @Nullable String rawOnly(TSSubQuery query) {
    if (query.isHistogramQuery()) {
      return "percentiles and histograms are not in rollups";
    }
    if ("ROLLUP_RAW".equals(String.valueOf(query.getRollupUsage()))) {
      return "rollupUsage is ROLLUP_RAW";
    }
    DownsamplingSpecification spec = query.downsamplingSpecification();
    if (spec == null || spec.getFunction() == null) {
      return "not downsampled";
    }
    RollupFunction function = RollupFunction.of(spec.getFunction().toString());
    if (function == null) {
      return spec.getFunction() + " does not follow from rollups";
    }
    if (!tables.store(function)) {
      return "rollup_config has no id for " + function.aggregators();
    }
    return null;
  }

  /**
   * The pieces of a sub-query that {@link #rawOnly} lets pass.
   *
   * @param queryStart of the query, milliseconds
   * @param queryEnd of the query, milliseconds
   * @param from first time that OpenTSDB scans for raw data, milliseconds
   * @param to end of these times, milliseconds
   */
  public PlannedPieces plan(
      TSSubQuery query,
      String metric,
      long queryStart,
      long queryEnd,
      long from,
      long to,
      CellCosts costs) {
    DownsamplingSpecification spec = query.downsamplingSpecification();
    RollupFunction function = RollupFunction.of(spec.getFunction().toString());
    if (function == null) {
      throw new IllegalArgumentException(spec.getFunction() + " does not follow from rollups");
    }
    List<QueryPlan.Table> candidates = new ArrayList<>();
    boolean covered = false;
    for (RollupInterval interval : tables.intervals()) {
      long width = interval.seconds() * 1000;
      // 0 for 0all. The longest month is longer than getInterval says, never shorter than 28 days.
      if (spec.getInterval() == 0 || width <= spec.getInterval()) {
        QueryPlan.Table table =
            new QueryPlan.Table(
                interval.interval(), width, proven.proven(interval.interval(), width, metric));
        candidates.add(table);
        covered |= !table.proven().isEmpty();
      }
    }
    if (candidates.isEmpty()) {
      return PlannedPieces.raw("no table is as fine as the downsampler");
    }
    if (!covered) {
      return PlannedPieces.raw("no rollups are proven to be stored");
    }
    Buckets buckets = OutputBuckets.of(spec, queryStart, queryEnd, from, to);
    if (buckets == null) {
      return PlannedPieces.raw("the buckets of this calendar depend on the first point");
    }
    QueryPlan plan = QueryPlan.cheapest(from, to, buckets, candidates, costs.of(function));
    if (plan.isRaw()) {
      return PlannedPieces.raw("no proven rollups lie inside a bucket");
    }
    return PlannedPieces.of(plan.pieces(), function);
  }
}
