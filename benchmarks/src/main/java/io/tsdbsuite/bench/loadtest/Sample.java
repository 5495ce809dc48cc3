package io.tsdbsuite.bench.loadtest;

/**
 * Measured cost of one load.
 *
 * @param points stored or failed
 * @param failed points that failed, by the TSD's counters
 * @param seconds duration of the load
 * @param tsdCpu CPU of the TSD, seconds
 * @param hbaseCpu CPU of HBase, seconds
 * @param clientCpu CPU of the generator, seconds
 * @param data requests to the data table
 * @param meta requests to the meta table
 * @param busiest maximum of writes to the meta table per second, divided by the mean; 0 without
 *     writes
 */
record Sample(
    long points,
    long failed,
    double seconds,
    double tsdCpu,
    double hbaseCpu,
    double clientCpu,
    Requests data,
    Requests meta,
    double busiest) {
  double rate() {
    return points / seconds;
  }

  /** Seconds of the TSD's CPU per million points. */
  double tsdPerMillion() {
    return tsdCpu * 1e6 / points;
  }

  /** Seconds of HBase's CPU per million points. */
  double hbasePerMillion() {
    return hbaseCpu * 1e6 / points;
  }

  /** Seconds of the generator's CPU per million points. */
  double clientPerMillion() {
    return clientCpu * 1e6 / points;
  }

  double dataWrites() {
    return (double) data.writes() / points;
  }

  double metaWrites() {
    return (double) meta.writes() / points;
  }

  double metaReads() {
    return (double) meta.reads() / points;
  }
}
