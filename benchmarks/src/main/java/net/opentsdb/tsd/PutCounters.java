package net.opentsdb.tsd;

/**
 * The TSD's count of points that came by put and that HBase has acknowledged; it shows it nowhere.
 */
public final class PutCounters {
  private PutCounters() {}

  /** Raw points stored since the TSD started. */
  public static long stored() {
    return PutDataPointRpc.raw_stored.get();
  }
}
