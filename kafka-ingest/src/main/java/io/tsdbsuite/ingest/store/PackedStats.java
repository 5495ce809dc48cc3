package io.tsdbsuite.ingest.store;

import java.util.concurrent.atomic.LongAdder;

/** Counters of the parts that a TSD writes into packed tables. Thread-safe. */
public final class PackedStats {
  private final LongAdder written = new LongAdder();
  private final LongAdder failed = new LongAdder();

  void add(int parts, boolean isWritten) {
    (isWritten ? written : failed).add(parts);
  }

  /** Parts that HBase has acknowledged. */
  public long written() {
    return written.sum();
  }

  /** Parts that HBase has not taken; their messages are read again. */
  public long failed() {
    return failed.sum();
  }
}
