package io.tsdbsuite.rollup.uid;

/** Source of the names of UIDs. */
public enum UidSource {
  /** A snapshot of the UID table, read into memory and broadcast to the executors. */
  SNAPSHOT,
  /** A live HBase, queried by each executor through a cache. */
  HBASE,
  /** No source: the sink needs only UIDs, and no metric filter is set. */
  NONE
}
