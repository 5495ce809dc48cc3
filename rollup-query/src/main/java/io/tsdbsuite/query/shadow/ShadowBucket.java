package io.tsdbsuite.query.shadow;

import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.query.plan.RollupFunction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One bucket of a rollup table that a query has read, and series of the query. Immutable. */
public final class ShadowBucket {
  private final String metric;
  private final byte[] metricUid;
  private final RollupFunction function;
  private final QueryPlan.Table table;
  private final long from;
  private final List<byte[]> series;

  private ShadowBucket(
      String metric,
      byte[] metricUid,
      RollupFunction function,
      QueryPlan.Table table,
      long from,
      List<byte[]> series) {
    this.metric = metric;
    this.metricUid = metricUid.clone();
    this.function = function;
    this.table = table;
    this.from = from;
    this.series = Collections.unmodifiableList(new ArrayList<>(series));
  }

  /**
   * A bucket of the widest table that was read, each with the same chance.
   *
   * @param floor buckets that begin before it are left out, milliseconds since the epoch
   * @param pieces what the query has read
   * @param series TSUIDs
   * @return null if no such piece is of a rollup table
   */
  static @Nullable ShadowBucket choose(
      String metric,
      byte[] metricUid,
      RollupFunction function,
      List<QueryPlan.Piece> pieces,
      List<byte[]> series,
      long floor,
      Random random) {
    long widest = 0;
    long buckets = 0;
    for (QueryPlan.Piece piece : pieces) {
      QueryPlan.Table table = piece.table();
      if (table == null || table.width() < widest || first(piece, table, floor) >= piece.to()) {
        continue;
      }
      if (table.width() > widest) {
        widest = table.width();
        buckets = 0;
      }
      buckets += (piece.to() - first(piece, table, floor)) / widest;
    }
    if (buckets == 0) {
      return null;
    }
    long chosen = (long) (random.nextDouble() * buckets);
    for (QueryPlan.Piece piece : pieces) {
      QueryPlan.Table table = piece.table();
      if (table != null && table.width() == widest) {
        long first = first(piece, table, floor);
        long here = Math.max(0, piece.to() - first) / widest;
        if (chosen < here) {
          long from = first + chosen * widest;
          return new ShadowBucket(metric, metricUid, function, table, from, series);
        }
        chosen -= here;
      }
    }
    throw new AssertionError("bucket " + chosen + " of " + buckets);
  }

  /** The first bucket of a piece that does not begin before the floor. */
  private static long first(QueryPlan.Piece piece, QueryPlan.Table table, long floor) {
    return Math.max(piece.from(), -Math.floorDiv(-floor, table.width()) * table.width());
  }

  /** Name of the metric. */
  public String metric() {
    return metric;
  }

  /** UID of the metric. */
  public byte[] metricUid() {
    return metricUid.clone();
  }

  /** The function whose aggregators are compared. */
  public RollupFunction function() {
    return function;
  }

  /**
   * The interval of the table, as rollup_config.json writes it; or the level, {@code 1h.p99}, or
   * {@code 1h.packed} of both.
   */
  public String interval() {
    return table.interval();
  }

  /**
   * The level of the rollups, {@code 1h} or {@code 1h.p99}, also if their packed rows were read.
   */
  public String level() {
    int dot = interval().indexOf('.');
    return Level.text(dot < 0 ? interval() : interval().substring(0, dot), function.level());
  }

  /** Width of the bucket, milliseconds. */
  public long width() {
    return table.width();
  }

  /** First time, milliseconds since the epoch, inclusive. */
  public long from() {
    return from;
  }

  /** End, milliseconds since the epoch, exclusive. */
  public long to() {
    return from + table.width();
  }

  /** TSUIDs of some series of the query. */
  public List<byte[]> series() {
    return series;
  }

  /** {@code 1d [from, to) of metric}, milliseconds. */
  @Override
  public String toString() {
    return interval() + " [" + from() + ", " + to() + ") of " + metric;
  }
}
