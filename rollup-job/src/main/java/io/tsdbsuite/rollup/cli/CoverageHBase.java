package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.coverage.CoverageTableCheck;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.job.hbase.HBaseProbe;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;

/** The HBase that holds a coverage table, and the configuration of its TSDs. */
final class CoverageHBase {
  private final String table;
  private final TsdFiles files;
  private final Map<String, String> properties;

  /**
   * @param invocation receives the problems found
   */
  CoverageHBase(CoverageOptions options, Invocation invocation) {
    this(
        options.table,
        TsdFiles.read(options.tsd, invocation.tsdKeys(), invocation.problems()),
        options.hbase,
        invocation);
  }

  /**
   * @param table the coverage table
   * @param invocation receives the problems found
   */
  CoverageHBase(String table, TsdFiles files, HBaseOptions hbase, Invocation invocation) {
    this.table = table;
    this.files = files;
    this.properties = hbase.clientProperties(files.config(), invocation.problems());
    LoadOptions.requireTableName(table, invocation.problems());
  }

  /** The work of a command. */
  @FunctionalInterface
  interface Work<T> {
    /** Works; the connection stays open. */
    T run(Connection connection) throws IOException;
  }

  /** Name of the coverage table. */
  String table() {
    return table;
  }

  /** The TSD's configuration; only if there are no problems. */
  RollupConfig rollups() {
    return Objects.requireNonNull(files.rollups());
  }

  /** The TSD's tables; only if there are no problems. */
  StorageSchema schema() {
    return Objects.requireNonNull(files.schema());
  }

  /** Hadoop's configuration given to spark-submit, read without a Spark application. */
  static Configuration hadoop() {
    Configuration hadoop = SparkHadoopUtil.get().newConfiguration(new SparkConf());
    S3RetryDefaults.apply(hadoop);
    return hadoop;
  }

  /**
   * Works with the coverage table; only if there are no problems.
   *
   * @throws JobException usage, when there is no such table, or access is denied; outside, when
   *     HBase fails
   */
  <T> T with(Configuration hadoop, Work<T> work) {
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
