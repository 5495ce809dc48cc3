package io.tsdbsuite.bench.loadtest;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Cost of one load, or what a set-up has cost since its start.
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
    /** The requests since the regions were opened, as the region servers report them. */
    static Requests of(Connection connection, String table) throws IOException {
      long writes = 0;
      long reads = 0;
      try (Admin admin = connection.getAdmin()) {
        for (ServerName server : admin.getRegionServers()) {
          for (RegionMetrics region : admin.getRegionMetrics(server, TableName.valueOf(table))) {
            writes += region.getWriteRequestCount();
            reads += region.getReadRequestCount();
          }
        }
      }
      return new Requests(writes, reads);
    }

    Requests minus(Requests before) {
      return new Requests(writes - before.writes, reads - before.reads);
    }
  }

  /** The counts of a set-up until now. */
  static Sample now(LoadServers servers, Setup setup) throws IOException {
    TsdServer tsd = servers.tsd(setup);
    JsonNode counts = servers.counts(setup);
    long failed = counts.path("failed").asLong();
    return new Sample(
        counts.path("stored").asLong() + failed,
        failed,
        System.nanoTime() / 1e9,
        cpu(tsd.pid()),
        cpu(servers.hbase().pid()),
        cpu(ProcessHandle.current().pid()),
        Requests.of(servers.hbase().connection(), setup.dataTable()),
        Requests.of(servers.hbase().connection(), setup.metaTable()),
        0);
  }

  private static double cpu(long pid) {
    return ProcessHandle.of(pid).orElseThrow().info().totalCpuDuration().orElseThrow().toNanos()
        / 1e9;
  }

  /** The cost since an earlier one of the same set-up. */
  Sample since(Sample before, double busiestOverMean) {
    return new Sample(
        points - before.points,
        failed - before.failed,
        seconds - before.seconds,
        tsdCpu - before.tsdCpu,
        hbaseCpu - before.hbaseCpu,
        clientCpu - before.clientCpu,
        data.minus(before.data),
        meta.minus(before.meta),
        busiestOverMean);
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
