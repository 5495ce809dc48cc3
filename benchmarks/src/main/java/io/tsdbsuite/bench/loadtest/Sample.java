package io.tsdbsuite.bench.loadtest;

/**
 * What one load took.
 *
 * @param points that were stored or have failed
 * @param failed of them, as the TSD counts them
 * @param seconds that it took
 * @param tsdCpu seconds of CPU of the TSD
 * @param hbaseCpu of HBase
 * @param clientCpu of the generator
 * @param data requests to the data table
 * @param meta requests to the meta table
 * @param busiest most writes to the meta table in a second, over the mean; 0 when there were none
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
