package net.opentsdb.tsd;

/**
 * The TSD's counts of points that came by put, where its statistics do not show them: stored when
 * HBase has acknowledged them.
 */
public final class PutCounters {
  private PutCounters() {}

  /** Raw points stored since the TSD started. */
  public static long stored() {
    return PutDataPointRpc.raw_stored.get();
  }

  /** Raw points that were refused, or that HBase failed to store, since the TSD started. */
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
