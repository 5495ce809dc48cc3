package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.plan.RowWindow;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings for reading the snapshot of a rollup table.
 *
 * @param interval of the table
 * @param level the interval, or the level of its histograms or packed rows
 * @param name of the table
 * @param number number of the level in the run
 * @param schema schema of the TSD
 * @param aggregators of the run
 * @param from first instant to compare, seconds since the epoch
 * @param to last instant, exclusive
 * @param sample the series to compare
 * @param anyBucket whether rows may be in another salt bucket than that of their keys
 * @param made null if the rows are compared themselves; else the wider intervals whose rollups are
 *     made of them, with the next numbers, each a multiple that divides the day. Then the window is
 *     the span of one row, of a day or more
 */
public record StoredTable(
    RollupInterval interval,
    String level,
    String name,
    int number,
    StorageSchema schema,
    Aggregators aggregators,
    long from,
    long to,
    SeriesSample sample,
    boolean anyBucket,
    @Nullable List<RollupInterval> made)
    implements Serializable {

  /** Whether it has histograms: its rows are of an hour. */
  public boolean isOfHistograms() {
    return Level.isHistogram(level);
  }

  /** Whether it has packed rows. */
  public boolean isPacked() {
    return Level.isPacked(level);
  }

  /**
   * The start of the span of the row that has the rollups of an instant, seconds since the epoch;
   * of histograms of the interval: their row is that of the hour in which it begins.
   */
  long base(long time) {
    long unit = Math.max(interval.seconds(), RowKey.ROW_SPAN_SECONDS);
    return isOfHistograms() ? time - time % unit : interval.baseTime(time);
  }

  /**
   * The rows that can contain rollups of the window; their base times are the starts of their
   * spans.
   */
  public RowWindow rows() {
    return isOfHistograms()
        ? new RowWindow(schema, from, to)
        : new RowWindow(schema, interval.baseTime(from), interval.baseTime(to - 1) + 1);
  }
}
