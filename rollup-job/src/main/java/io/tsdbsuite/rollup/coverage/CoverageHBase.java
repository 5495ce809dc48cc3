package io.tsdbsuite.rollup.coverage;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.job.coverage.CoverageTableCheck;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.job.hbase.HBaseProbe;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.spark.SparkStart;
import io.tsdbsuite.rollup.uid.UidDictionary;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.uid.UidWidthException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * The HBase that holds a coverage table, and the configuration of its TSDs.
 *
 * @param table name of the coverage table
 * @param properties of HBase's clients
 */
public record CoverageHBase(String table, TsdFiles files, Map<String, String> properties) {
  private static final int ROWS_PER_CALL = 1000;

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
    return connected(
        hadoop,
        connection -> {
          requireTable(connection);
          return work.run(connection);
        });
  }

  private void requireTable(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      String missing = CoverageTableCheck.missing(admin, table);
      if (!missing.isEmpty()) {
        throw JobException.usage("--coverage-table: " + missing);
      }
    }
  }

  /**
   * The floors of the data table.
   *
   * @param required whether the table must exist; else there are no floors without it
   * @param now milliseconds since the epoch
   * @throws JobException usage, when there must be a table and is none, it is broken, or access is
   *     denied; outside, when HBase fails
   */
  public RawFloors floors(Configuration hadoop, boolean required, long now) {
    return connected(
        hadoop,
        connection -> {
          if (required) {
            requireTable(connection);
          } else {
            try (Admin admin = connection.getAdmin()) {
              if (!admin.tableExists(TableName.valueOf(table))) {
                return RawFloors.of(List.of());
              }
            }
          }
          try (CoverageTable rows = new CoverageTable(connection, table)) {
            return RawFloors.of(rows.knownFloors(now));
          } catch (CoverageRefusedException e) {
            throw JobException.usage("--coverage-table: " + e.getMessage(), e);
          }
        });
  }

  /**
   * The names of all metrics, without a check of other UIDs that have one of them.
   *
   * @throws JobException usage, when access is denied; outside, when HBase fails
   */
  public UidNames metrics(Configuration hadoop) {
    return connected(
        hadoop,
        connection -> {
          StorageSchema of = schema();
          UidDictionary.Builder names =
              new UidDictionary.Builder(
                  of.width(UidKind.METRIC), of.width(UidKind.TAGK), of.width(UidKind.TAGV));
          byte[] qualifier = UidKind.METRIC.qualifierBytes();
          Scan scan =
              new Scan().addColumn(UidRow.nameFamily(), qualifier).setCaching(ROWS_PER_CALL);
          try (Table table = connection.getTable(TableName.valueOf(of.uidTable()));
              ResultScanner rows = table.getScanner(scan)) {
            for (Result row = rows.next(); row != null; row = rows.next()) {
              byte[] uid = row.getRow();
              byte[] name = row.getValue(UidRow.nameFamily(), qualifier);
              names.add(UidKind.METRIC, uid, 0, uid.length, name, 0, name.length);
            }
          } catch (UidWidthException e) {
            throw JobException.usage(String.valueOf(e.getMessage()), e);
          }
          return names.build();
        });
  }

  private <T> T connected(Configuration hadoop, Work<T> work) {
    HBaseVersion.require();
    Configuration hbase = HBaseClients.configuration(hadoop, properties);
    // It knows sooner than HBase's client that HBase does not answer.
    String cluster = HBaseProbe.clusterId(hbase);
    try (Connection connection = ConnectionFactory.createConnection(hbase)) {
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
