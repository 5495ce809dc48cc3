package io.tsdbsuite.rollup.input;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.FailureLimits;
import io.tsdbsuite.rollup.uid.UidSettings;
import org.jspecify.annotations.Nullable;

/**
 * Options of a rollup run, without the sink.
 *
 * @param snapshotRoot HBase root or target of ExportSnapshot, with its scheme; read-only
 * @param dataSnapshot name of the snapshot of the data table
 * @param uids source of the names of UIDs
 * @param schema widths, salt and duplicate rules of the TSD
 * @param intervals widths of the rollups
 * @param window hours to roll up
 * @param holdBack minimum distance of the window from the present and from the snapshot; for the
 *     present it already allows the window
 * @param metrics metric filter
 * @param partitionBytes approximate limit of the compressed bytes in the window that one task reads
 * @param tolerance defects of the input that the user accepts
 * @param changedSince selects the rows before the window to roll up again; null for none
 * @param asOf timestamp of the rollups
 * @param anyBucket whether the user asks to merge the rows of all salt buckets
 */
public record RollupOptions(
    String snapshotRoot,
    String dataSnapshot,
    UidSettings uids,
    StorageSchema schema,
    RollupIntervals intervals,
    Window window,
    HoldBack holdBack,
    MetricPatterns metrics,
    long partitionBytes,
    Tolerance tolerance,
    @Nullable ChangedSince changedSince,
    AsOf asOf,
    boolean anyBucket) {
  /** As {@link Window#from}. */
  public long from() {
    return window.from();
  }

  /** As {@link Window#to}. */
  public long to() {
    return window.to();
  }

  /** Whether the rows of all salt buckets are merged; never without salt. */
  public boolean mergesBuckets() {
    return anyBucket && schema.saltWidth() > 0;
  }

  /** Limits for failures before the run stops. */
  public FailureLimits limits() {
    return tolerance.limits();
  }
}
