package io.tsdbsuite.contract;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import java.util.Map;
import net.opentsdb.core.RealRows;

/** A TSD's four configurations for several points of one instant. */
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

  /** The keys of an opentsdb.conf with this rule. */
  Map<String, String> configuration() {
    return Map.of(
        "tsd.storage.fix_duplicates", String.valueOf(fixDuplicates),
        "tsd.storage.use_otsdb_timestamp", String.valueOf(useOtsdbTimestamp),
        "tsd.storage.use_max_value", String.valueOf(useMaxValue));
  }

  StorageSchema schema() {
    TsdConfig config = TsdConfig.parse("");
    for (Map.Entry<String, String> entry : configuration().entrySet()) {
      config = config.with(entry.getKey(), entry.getValue());
    }
    return StorageSchema.from(config);
  }

  RealRows realRows() throws Exception {
    return new RealRows(fixDuplicates, useOtsdbTimestamp, useMaxValue);
  }

  boolean isDateTiered() {
    return useOtsdbTimestamp;
  }
}
