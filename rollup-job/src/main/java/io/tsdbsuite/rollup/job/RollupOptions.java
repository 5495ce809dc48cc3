package io.tsdbsuite.rollup.job;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.MetricPatterns;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.FailureLimits;
import java.util.Map;

/**
 * Options of a rollup run, without the sink.
 *
 * @param snapshotRoot HBase root or target of ExportSnapshot, with its scheme; read-only
 * @param dataSnapshot name of the snapshot of the data table
 * @param uidSource source of the names
 * @param uidSnapshot name of the snapshot of the UID table; null unless it is the source of the
 *     names
 * @param hbaseProperties client properties of the live HBase with the UID table; empty unless it is
 *     the source of the names
 * @param schema widths, salt and duplicate rules of the TSD
 * @param intervals widths of the rollups
 * @param from first hour, inclusive, seconds since the epoch, UTC, on the hour; on the day when
 *     days are rolled up
 * @param to last hour, exclusive, in the same form
 * @param holdBack minimum distance of the window from the present and from the snapshot; for the
 *     present it already allows {@code to}
 * @param metrics metric filter
 * @param maxFailedRows rows that may fail before the run stops
 * @param partitionBytes approximate limit of the compressed bytes in the window that one task reads
 * @param tolerance other defects of the input that the user accepts
 * @param changedSince selects the rows before the window to roll up again; null for none
 * @param asOf timestamp of the rollups
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

  /** Options without rows before the window, without tolerance, as of the snapshot. */
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

  /** Limits for failures before the run stops. */
  public FailureLimits limits() {
    return new FailureLimits(maxFailedRows, tolerance.failedBlocks());
  }
}
