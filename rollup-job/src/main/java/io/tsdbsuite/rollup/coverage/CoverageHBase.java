package io.tsdbsuite.rollup.coverage;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.job.coverage.CoverageTableCheck;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.job.hbase.HBaseProbe;
import io.tsdbsuite.rollup.spark.SparkStart;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * The HBase that holds a coverage table, and the configuration of its TSDs.
 *
 * @param table name of the coverage table
 * @param properties of HBase's clients
 */
public record CoverageHBase(String table, TsdFiles files, Map<String, String> properties) {
  /** The work of a command. */
  @FunctionalInterface
  public interface Work<T> {
    /** Works; the connection stays open. */
    T run(Connection connection) throws IOException;
  }

  /** The TSD's configuration; only if there are no problems. */
  public RollupConfig rollups() {
    return Objects.requireNonNull(files.rollups());
  }

  /** The TSD's tables; only if there are no problems. */
  public StorageSchema schema() {
    return Objects.requireNonNull(files.schema());
  }

  /**
   * Reads the coverage.
   *
   * @param now milliseconds since the epoch
   * @throws IOException when HBase fails
   * @throws JobException bad input, when no reader takes the table: then neither windows nor floors
   *     are known
   */
  public Coverage read(Connection connection, long now) throws IOException {
    try (CoverageTable coverage = new CoverageTable(connection, table)) {
      Coverage read = coverage.read(CoverageListing.tables(rollups()), now);
      if (!read.reason().isEmpty() && !read.reason().equals(CoverageReader.EMPTY)) {
        throw JobException.badInput("the coverage table must be readable, found: " + read.reason());
      }
      return read;
    }
  }

  /**
   * Works with the coverage table and Spark's Hadoop configuration, as {@link #with(Configuration,
   * Work)}.
   */
  public <T> T with(Work<T> work) {
    return with(SparkStart.hadoop(), work);
  }

  /**
   * Works with the coverage table; only if there are no problems.
   *
   * @throws JobException usage, when there is no such table, or access is denied; outside, when
   *     HBase fails
   */
  public <T> T with(Configuration hadoop, Work<T> work) {
    HBaseVersion.require();
    Configuration hbase = HBaseClients.configuration(hadoop, properties);
    // It knows sooner than HBase's client that HBase does not answer.
    String cluster = HBaseProbe.clusterId(hbase);
    try (Connection connection = ConnectionFactory.createConnection(hbase);
        Admin admin = connection.getAdmin()) {
      String missing = CoverageTableCheck.missing(admin, table);
      if (!missing.isEmpty()) {
        throw JobException.usage("--coverage-table: " + missing);
      }
      return work.run(connection);
    } catch (IOException e) {
      String access = AccessFailures.reason(e);
      String what = "the work with table " + table + " of HBase cluster " + cluster;
      throw access != null
          ? JobException.usage(what + " is not allowed: " + access, e)
          : JobException.outside(
              what + " did not succeed, run it again: " + StorageFailures.describe(e), e);
    }
  }
}
