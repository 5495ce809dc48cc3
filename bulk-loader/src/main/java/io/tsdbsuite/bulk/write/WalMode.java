package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.report.Keyed;
import org.apache.hadoop.hbase.client.Durability;

/** Use of the write-ahead log by puts, and its risk. */
public enum WalMode implements Keyed {
  /** Acknowledged when the log has it: a region server that dies loses nothing. */
  SYNC(Durability.SYNC_WAL),
  /**
   * The log is written later. Rows acknowledged just before their region server died may be lost;
   * the load compares them with the table again.
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
