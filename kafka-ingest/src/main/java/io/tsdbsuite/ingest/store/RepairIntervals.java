package io.tsdbsuite.ingest.store;

import java.util.Collections;
import java.util.List;
import net.opentsdb.core.TSDB;

/** The intervals of which a request must ask for rollups, so that no other rollup shows an hour. */
public final class RepairIntervals {
  private RepairIntervals() {}

  /**
   * All intervals of the TSD's rollup configuration, but for the default one; none if it has no
   * usable configuration, or an interval that cannot be computed from rows of raw points.
   */
  public static List<String> of(TSDB tsdb) {
    RollupSchema schema = ElementStore.schema(() -> RollupSchema.of(tsdb), false);
    return schema == null ? Collections.emptyList() : schema.repairable();
  }
}
