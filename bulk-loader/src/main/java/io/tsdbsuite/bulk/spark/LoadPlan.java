package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.report.RejectLimits;
import io.tsdbsuite.bulk.run.BelowFloors;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import java.io.Serializable;
import java.util.List;

/**
 * Parameters of the tasks of a load; small, since each task carries them.
 *
 * @param runId names the load
 * @param config the TSD's configuration
 * @param stamps {@link CellTimestamps#text()}
 * @param refusedFrom base time from which on hours are refused, seconds since the epoch, UTC
 * @param oldest whether the oldest point matters
 * @param floors of the coverage table, for {@link BelowFloors}
 * @param rejectDir directory of rejected lines
 * @param slots tasks that an executor runs at the same time; 0 if only the executor has the number
 */
record LoadPlan(
    String runId,
    TsdConfig config,
    StorageSchema schema,
    HBaseAddress address,
    ParseOptions options,
    InfluxChoice influxChoice,
    RejectLimits limits,
    WriteSettings write,
    String stamps,
    long refusedFrom,
    boolean oldest,
    List<CoverageFloor> floors,
    String rejectDir,
    int slots)
    implements Serializable {
  RowKey rowKey() {
    return new RowKey(schema);
  }

  OnConflict onConflict() {
    return write.onConflict();
  }

  CellTimestamps cellTimestamps() {
    return CellTimestamps.restore(stamps);
  }
}
