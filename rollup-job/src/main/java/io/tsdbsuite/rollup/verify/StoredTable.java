package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.plan.RowWindow;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings for reading the snapshot of a rollup table.
 *
 * @param interval of the table
 * @param number number of the interval in the run
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
    int number,
    StorageSchema schema,
    Aggregators aggregators,
    long from,
    long to,
    SeriesSample sample,
    boolean anyBucket,
    @Nullable List<RollupInterval> made)
    implements Serializable {

  /**
   * The rows that can contain rollups of the window; their base times are the starts of their
   * spans.
   */
  public RowWindow rows() {
    return new RowWindow(schema, interval.baseTime(from), interval.baseTime(to - 1) + 1);
  }
}
