package io.tsdbsuite.bulk.write;

import org.apache.hadoop.hbase.client.Durability;

/** How puts use the write-ahead log of the region servers, and what each way risks. */
public enum WalMode {
  /** Acknowledged when the log has it: a region server that dies loses nothing. */
  SYNC(Durability.SYNC_WAL),
  /**
   * The log follows later: what was acknowledged just before its region server died may be lost,
   * and is compared with the table again.
   */
  ASYNC(Durability.ASYNC_WAL),
  /** No log: all that is not flushed is lost with its region server. See {@link WithoutWal}. */
  SKIP(Durability.SKIP_WAL);

  private final Durability durability;

  WalMode(Durability durability) {
    this.durability = durability;
  }

  /** HBase's name for it. */
  public Durability durability() {
    return durability;
  }

  /** Durability of rows that are rewritten one by one, without a later sync. */
  public Durability ofSingleRows() {
    return this == ASYNC ? Durability.SYNC_WAL : durability;
  }
}
