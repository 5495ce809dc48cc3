package io.tsdbsuite.nightly.config;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import io.tsdbsuite.planner.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of rollup-nightly.
 *
 * @param tsdConfig opentsdb.conf
 * @param stateDir local directory of the lock and the logs
 * @param reports directory of the reports, a local path or a URI, without a slash at its end
 * @param firstDay the first day, UTC
 * @param holdBack time between the end of a day and the snapshot that is read for it
 * @param maxDays largest number of days of one run
 * @param place where the data are
 * @param clients properties of HBase and Hadoop
 * @param snapshots snapshots and exports
 * @param runs what the runs of all days have in common
 * @param spark how rollup-job is started
 * @param verify the verification of a sample
 * @param coverage whether proofs are written into a coverage table
 * @param tiers which data are deleted
 * @param metrics where the figures of reports go
 * @param pruneOptions options of rollup-job prune; empty for no prune of the exports
 */
public record NightlyConfig(
    Path tsdConfig,
    Path stateDir,
    String reports,
    LocalDate firstDay,
    Duration holdBack,
    int maxDays,
    Place place,
    Clients clients,
    SnapshotSettings snapshots,
    RunSettings runs,
    SparkSettings spark,
    VerifySettings verify,
    CoverageSettings coverage,
    TiersSettings tiers,
    MetricsSettings metrics,
    List<String> pruneOptions) {
  /** Whether the job writes HFiles, which must be loaded. */
  public boolean writesHFiles() {
    return runs.options().option("--sink").orElse("kafka").equalsIgnoreCase("hfile");
  }

  /**
   * Where the data are.
   *
   * @param dataTable OpenTSDB's data table, as HBase writes its name
   * @param uidTable OpenTSDB's UID table
   * @param hbaseRoot root directory of the live HBase, a URI; empty if unknown
   * @param exportRoot target of ExportSnapshot, a URI; empty without exports
   */
  public record Place(String dataTable, String uidTable, String hbaseRoot, String exportRoot) {
    /** Whether snapshots are exported or arrive as exports. */
    public boolean isExported() {
      return !exportRoot.isEmpty();
    }

    /** The root that the job reads. */
    public String snapshotRoot() {
      return isExported() ? exportRoot : hbaseRoot;
    }
  }

  /**
   * Properties of the clients of other systems.
   *
   * @param hbase of HBase, the address of the TSD's configuration among them
   * @param hadoop of Hadoop's file systems
   */
  public record Clients(Map<String, String> hbase, Map<String, String> hadoop) {}

  /**
   * Snapshots and their exports.
   *
   * @param take whether to take them
   * @param pattern their names
   * @param keep number of nights that stay on HBase; 0 for all
   * @param exportCommand command that runs ExportSnapshot
   * @param exportOptions its further options
   */
  public record SnapshotSettings(
      boolean take,
      SnapshotPattern pattern,
      int keep,
      List<String> exportCommand,
      List<String> exportOptions) {}

  /**
   * How rollup-job is started.
   *
   * @param command spark-submit
   * @param options its options
   * @param jar the jar of rollup-job
   * @param version version of the job; empty if the jar is not on this machine
   */
  public record SparkSettings(
      List<String> command, List<String> options, String jar, Optional<String> version) {}

  /**
   * The verification of a sample.
   *
   * @param against what the raw data are compared with
   * @param tsd URL of the TSD; empty unless it is compared with
   * @param sample share of the series, as the job's option
   * @param metrics patterns of metrics, as the job's option; empty for those of the job
   * @param days number of days back in which a day without a verification of success is verified
   * @param patience time in which differences may vanish, because TSDs still store rollups
   */
  public record VerifySettings(
      Against against, String tsd, String sample, String metrics, int days, Duration patience) {
    /** What the raw data are compared with. */
    public enum Against {
      /** Nothing: no verification. */
      NONE,
      /** The answers of a TSD. */
      TSD,
      /** Snapshots of the rollup tables. */
      SNAPSHOT
    }
  }

  /**
   * Whether what the runs prove is written into a coverage table.
   *
   * @param table with its namespace; empty: tsdb-coverage, if HBase has it
   * @param patience time in which TSDs may still store rollups of a run to Kafka
   */
  public record CoverageSettings(String table, Duration patience) {
    /** Whether nothing is written: the table is {@code none}. */
    public boolean isOff() {
      return table.equals("none");
    }
  }

  /**
   * Which data are deleted: docs/tiers.md.
   *
   * @param policy a local file; empty: none are deleted
   * @param proofs directory of the proofs, a local path or a URI
   * @param hfileDir directory of the HFiles with delete markers, a URI
   * @param apply whether what is proven is deleted
   * @param proveOptions further options of rollup-job tiers prove
   * @param applyOptions further options of rollup-job tiers apply
   */
  public record TiersSettings(
      String policy,
      String proofs,
      String hfileDir,
      boolean apply,
      List<String> proveOptions,
      List<String> applyOptions) {
    /** Whether there is a policy. */
    public boolean isOn() {
      return !policy.isEmpty();
    }
  }

  /**
   * Where the figures of reports go.
   *
   * @param command report-metrics.py; empty for no metrics
   * @param textfileDir directory of node_exporter's textfile collector; empty for none
   * @param push URL of a push gateway; empty for none
   * @param put URL of a TSD; empty for none
   * @param options further options of the command
   */
  public record MetricsSettings(
      List<String> command, String textfileDir, String push, String put, List<String> options) {
    /** Whether the figures go anywhere. */
    boolean hasTarget() {
      return !textfileDir.isEmpty() || !push.isEmpty() || !put.isEmpty();
    }
  }
}
