package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.plan.RowWindow;
import java.io.Serializable;

/**
 * Settings for reading the snapshot of a rollup table.
 *
 * @param interval of the table
 * @param number number of the interval in the run
 * @param schema schema of the TSD
 * @param aggregatorIds numbers of sum, min, max and count in rollup_config.json
 * @param from first instant to compare, seconds since the epoch
 * @param to last instant, exclusive
 * @param sample the series to compare
 * @param anyBucket whether rows may be in another salt bucket than that of their keys
 */
public record StoredTable(
    RollupInterval interval,
    int number,
    StorageSchema schema,
    int[] aggregatorIds,
    long from,
    long to,
    SeriesSample sample,
    boolean anyBucket)
    implements Serializable {

  /**
   * The rows that can contain rollups of the window; their base times are the starts of their
   * spans.
   */
  public RowWindow rows() {
    return new RowWindow(schema, interval.baseTime(from), interval.baseTime(to - 1) + 1);
  }
}
