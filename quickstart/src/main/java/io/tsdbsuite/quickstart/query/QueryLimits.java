package io.tsdbsuite.quickstart.query;

import java.util.ArrayList;
import java.util.List;

/**
 * How much raw data the TSD of the quickstart (512 MiB of heap) can hold for one query. It keeps
 * all raw points of a query until it has aggregated them: about 2.4 kB for each series and hour of
 * 360 points.
 *
 * @param series number of series of the query
 */
public record QueryLimits(int series) {
  /** Days times series of one query of raw data: 15.6 million points. */
  static final int SERIES_DAYS = 1800;

  /** Days times series of one query of compacted rows, so that it does not wait for the GC. */
  private static final int PART_SERIES_DAYS = 600;

  private static final int LAST_DAYS_SERIES = 60;
  private static final int DAY = 86400;

  /** Whether one query can read the range with a cell for each point. */
  public boolean cells(QueryRange range) {
    return (long) range.days() * series <= SERIES_DAYS;
  }

  /** Whether one query can read the range from compacted rows. */
  public boolean onePart(QueryRange range) {
    return range.days() <= partDays();
  }

  /**
   * Whether rollup-query can hold the raw points of the last days, up to four, of all series: 48
   * bytes each, in a quarter of the heap.
   */
  public boolean lastDays() {
    return series <= LAST_DAYS_SERIES;
  }

  /** Number of queries of compacted rows that read the range together. */
  public int parts(QueryRange range) {
    return (range.days() + partDays() - 1) / partDays();
  }

  /**
   * The ranges of these queries.
   *
   * @param from first second, since the epoch
   * @param to last second, exclusive
   * @return bounds of the queries, whole days apart: the first second of each, and {@code to}
   */
  List<Long> bounds(long from, long to) {
    List<Long> bounds = new ArrayList<>();
    for (long at = from; at < to; at += (long) partDays() * DAY) {
      bounds.add(at);
    }
    bounds.add(to);
    return bounds;
  }

  private int partDays() {
    return Math.max(1, PART_SERIES_DAYS / series);
  }
}
