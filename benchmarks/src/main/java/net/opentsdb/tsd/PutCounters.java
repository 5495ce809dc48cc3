package net.opentsdb.tsd;

/**
 * Counts of the points that the TSD received by put. The TSD's own statistics do not have them. A
 * point counts as stored when HBase has acknowledged it.
 */
public final class PutCounters {
  private PutCounters() {}

  /** Raw points stored since the TSD started. */
  public static long stored() {
    return PutDataPointRpc.raw_stored.get();
  }

  /** Raw points that the TSD refused or HBase failed to store, since the TSD started. */
  public static long failed() {
    return PutDataPointRpc.hbase_errors.get()
        + PutDataPointRpc.inflight_exceeded.get()
        + PutDataPointRpc.unknown_errors.get()
        + PutDataPointRpc.illegal_arguments.get()
        + PutDataPointRpc.invalid_values.get()
        + PutDataPointRpc.unknown_metrics.get()
        + PutDataPointRpc.requests_timedout.get();
  }
}
