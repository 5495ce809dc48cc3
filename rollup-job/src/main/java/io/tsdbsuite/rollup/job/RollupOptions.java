package io.tsdbsuite.rollup.job;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.MetricPatterns;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.FailureLimits;
import java.util.Map;

/**
 * What to roll up and how; the sink is chosen apart.
 *
 * @param snapshotRoot HBase root or target of ExportSnapshot, with its scheme; only ever read
 * @param dataSnapshot name of the snapshot of the data table
 * @param uidSource where names come from
 * @param uidSnapshot name of the snapshot of the UID table; null unless names come from it
 * @param hbaseProperties how to reach the live HBase that has the UID table; empty unless names
 *     come from it
 * @param schema widths, salt, duplicate rules, as the TSD has them
 * @param intervals widths of the rollups
 * @param from first hour, inclusive, seconds since the epoch, UTC, on the hour; on the day when
 *     days are rolled up
 * @param to last hour, exclusive, the same
 * @param holdBack how far the window stays behind the present, and must stay behind the snapshot;
 *     for the present it allows {@code to}
 * @param metrics which metrics are wanted
 * @param maxFailedRows rows that may fail before the run stops
 * @param partitionBytes compressed bytes in the window that one task reads at most, about
 * @param tolerance what else may be wrong or missing
 * @param changedSince which rows before the window are rolled up again; null when none are
 * @param asOf the time that the rollups are said to be of
 */
public record RollupOptions(
    String snapshotRoot,
    String dataSnapshot,
    UidSource uidSource,
    String uidSnapshot,
    Map<String, String> hbaseProperties,
    StorageSchema schema,
    RollupIntervals intervals,
    long from,
    long to,
    HoldBack holdBack,
    MetricPatterns metrics,
    long maxFailedRows,
    long partitionBytes,
    Tolerance tolerance,
    ChangedSince changedSince,
    AsOf asOf) {

  /** Without rows before the window, without tolerance, as of the snapshot. */
  public RollupOptions(
      String snapshotRoot,
      String dataSnapshot,
      UidSource uidSource,
      String uidSnapshot,
      Map<String, String> hbaseProperties,
      StorageSchema schema,
      RollupIntervals intervals,
      long from,
      long to,
      HoldBack holdBack,
      MetricPatterns metrics,
      long maxFailedRows,
      long partitionBytes) {
    this(
        snapshotRoot,
        dataSnapshot,
        uidSource,
        uidSnapshot,
        hbaseProperties,
        schema,
        intervals,
        from,
        to,
        holdBack,
        metrics,
        maxFailedRows,
        partitionBytes,
        Tolerance.NONE,
        null,
        AsOf.SNAPSHOT);
  }

  /** How much may fail before the run stops. */
  public FailureLimits limits() {
    return new FailureLimits(maxFailedRows, tolerance.failedBlocks());
  }
}
