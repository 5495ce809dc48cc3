package io.tsdbsuite.nightly.config;

import io.tsdbsuite.planner.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;

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
    MetricsSettings metrics,
    List<String> pruneOptions) {
  /** Whether the job writes HFiles, which must be loaded. */
  public boolean writesHFiles() {
    return runs.options().option("--sink").orElse("kafka").equalsIgnoreCase("hfile");
  }
}
