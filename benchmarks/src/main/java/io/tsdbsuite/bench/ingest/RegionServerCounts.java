package io.tsdbsuite.bench.ingest;

/**
 * What a region server has received.
 *
 * @param rpcs calls of multi and mutate: an RPC of asynchbase with one put or up to 1024 puts
 * @param regionBatches puts of one RPC for one region, added up over all RPCs; HBase appends each
 *     to the WAL as one entry, and waits for its sync
 */
record RegionServerCounts(long rpcs, long regionBatches) {
  static final RegionServerCounts NONE = new RegionServerCounts(0, 0);

  RegionServerCounts minus(RegionServerCounts older) {
    return new RegionServerCounts(rpcs - older.rpcs, regionBatches - older.regionBatches);
  }
}
