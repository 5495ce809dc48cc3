package io.tsdbsuite.bench.ingest;

/**
 * Measured cost of one round.
 *
 * @param seconds time from the start until HBase has acknowledged all data
 * @param tsdCpu CPU of the TSD, seconds
 * @param hbaseCpu CPU of HBase, seconds
 * @param kafkaCpu CPU of Kafka, seconds
 * @param clientCpu CPU of the benchmark itself, which sends the HTTP puts, seconds
 * @param counts RPCs that arrived at HBase; {@link RegionServerCounts#NONE} if not counted
 */
record Round(
    double seconds,
    double tsdCpu,
    double hbaseCpu,
    double kafkaCpu,
    double clientCpu,
    RegionServerCounts counts) {
  /** CPU of the TSD and HBase, seconds. */
  double serversCpu() {
    return tsdCpu + hbaseCpu;
  }

  Round with(RegionServerCounts counted) {
    return new Round(seconds, tsdCpu, hbaseCpu, kafkaCpu, clientCpu, counted);
  }
}
