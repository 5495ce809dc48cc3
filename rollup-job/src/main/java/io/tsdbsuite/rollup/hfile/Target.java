package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import java.io.Serializable;
import java.util.Map;

/**
 * The destination of one interval's rollups, of their histograms, or of their packed rows.
 *
 * @param level of histograms, of packed rows, or that of the four values, beside which further
 *     aggregators are
 * @param ids by name, the ids of the aggregators that the interval may have: sum, min, max, count
 *     first, then further ones; of histograms the ids of the codecs by class
 */
record Target(Level level, Map<String, Integer> ids, TargetTable table) implements Serializable {
  RollupInterval interval() {
    return level.interval();
  }

  boolean isHistogram() {
    return level.isHistogram();
  }

  /** Whether its cells are parts of packed rows. */
  boolean isPacked() {
    return level.isPacked();
  }

  /** Time span of a row, as rollup_config.json writes it. */
  String rowSpan() {
    return isHistogram() ? Manifest.HISTOGRAM_ROW_SPAN : interval().rowSpan();
  }

  /** Start of the row of a rollup, seconds since the epoch: histograms are in the raw format. */
  long baseTime(long time) {
    return isHistogram() ? time - time % RowKey.ROW_SPAN_SECONDS : interval().baseTime(time);
  }
}
