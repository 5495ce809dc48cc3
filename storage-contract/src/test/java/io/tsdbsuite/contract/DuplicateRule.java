package io.tsdbsuite.contract;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import net.opentsdb.core.RealRows;

/** The four ways in which a TSD can be told to treat several points of one instant. */
enum DuplicateRule {
  REFUSE(false, false, true),
  NEWEST(true, false, true),
  LARGEST(false, true, true),
  SMALLEST(true, true, false);

  private final boolean fixDuplicates;
  private final boolean useOtsdbTimestamp;
  private final boolean useMaxValue;

  DuplicateRule(boolean fixDuplicates, boolean useOtsdbTimestamp, boolean useMaxValue) {
    this.fixDuplicates = fixDuplicates;
    this.useOtsdbTimestamp = useOtsdbTimestamp;
    this.useMaxValue = useMaxValue;
  }

  StorageSchema schema() {
    return StorageSchema.from(
        TsdConfig.parse("")
            .with("tsd.storage.fix_duplicates", String.valueOf(fixDuplicates))
            .with("tsd.storage.use_otsdb_timestamp", String.valueOf(useOtsdbTimestamp))
            .with("tsd.storage.use_max_value", String.valueOf(useMaxValue)));
  }

  RealRows realRows() throws Exception {
    return new RealRows(fixDuplicates, useOtsdbTimestamp, useMaxValue);
  }

  boolean isDateTiered() {
    return useOtsdbTimestamp;
  }
}
