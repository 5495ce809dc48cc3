package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.plan.RowWindow;
import java.io.Serializable;

/**
 * What a snapshot of a rollup table is read by.
 *
 * @param interval of the table
 * @param number of the interval in the run
 * @param schema as the TSD has it
 * @param aggregatorIds numbers of sum, min, max and count in rollup_config.json
 * @param from first instant that is compared, seconds since the epoch
 * @param to last instant, exclusive
 * @param sample which series are compared
 */
public record StoredTable(
    RollupInterval interval,
    int number,
    StorageSchema schema,
    int[] aggregatorIds,
    long from,
    long to,
    SeriesSample sample)
    implements Serializable {

  /** The rows that can have rollups of the window: their base times are those of their spans. */
  public RowWindow rows() {
    return new RowWindow(schema, interval.baseTime(from), interval.baseTime(to - 1) + 1);
  }
}
