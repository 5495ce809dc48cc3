package io.tsdbsuite.bench.loadtest;

import java.util.Locale;

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
  /**
   * Number of a table's requests, from its regions' counters. HBase counts rows: a put of several
   * cells of a row is one write.
   *
   * @param writes puts, increments and deletes
   * @param reads rows that gets and scans returned
   */
  record Requests(long writes, long reads) {
    Requests minus(Requests before) {
      return new Requests(writes - before.writes, reads - before.reads);
    }
  }

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

  double dataWrites() {
    return (double) data.writes() / points;
  }

  double metaWrites() {
    return (double) meta.writes() / points;
  }

  double metaReads() {
    return (double) meta.reads() / points;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%9.0f per second, CPU us per point of TSD %.2f, HBase %.2f, client %.2f; per point %.4f"
            + " writes to tsdb, %.5f writes and %.5f reads of tsdb-meta; %d failed",
        rate(),
        tsdPerMillion(),
        hbasePerMillion(),
        clientCpu * 1e6 / points,
        dataWrites(),
        metaWrites(),
        metaReads(),
        failed);
  }
}
