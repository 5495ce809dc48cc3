package io.tsdbsuite.rollup.job;

/** Where the names of UIDs come from. */
public enum UidSource {
  /** A snapshot of the UID table, read into memory and broadcast to the executors. */
  SNAPSHOT,
  /** A live HBase, asked by each executor through a cache. */
  HBASE,
  /** Nowhere: the sink takes UIDs, and all metrics are wanted. */
  NONE
}
