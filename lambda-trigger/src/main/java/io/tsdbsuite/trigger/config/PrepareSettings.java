package io.tsdbsuite.trigger.config;

import io.tsdbsuite.trigger.s3.S3Location;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings of PrepareHandler.
 *
 * @param backup snapshots and reports
 * @param job command line of the job
 * @param coveragePatience COVERAGE_PATIENCE: how long TSDs may take to store the rollups of a run,
 *     as the job's option; empty for no coverage
 * @param tiers TIERS_TABLES and its variables; empty without a policy of tiers
 * @param verify VERIFY_SAMPLE and its variable; empty without a verification
 * @param namespace METRICS_NAMESPACE
 */
public record PrepareSettings(
    BackupSettings backup,
    JobSettings job,
    Optional<String> coveragePatience,
    Optional<Tiers> tiers,
    Optional<Verify> verify,
    String namespace) {
  private static final Pattern PATIENCE = Pattern.compile("[0-9]{1,6}[smhd]");

  /**
   * What {@code tiers plan} and {@code tiers prove} read and write beside the snapshots of a night.
   *
   * @param tables TIERS_TABLES: the rollup and histogram tables that are exported, comma-separated
   * @param policy TIERS_POLICY: a file that the driver reads
   * @param proofs PROOF_ROOT: directory of the proofs
   */
  public record Tiers(List<String> tables, String policy, S3Location proofs) {
    /** Of runs, looks, proofs and applies: the default of rollup-job. */
    public static final String COVERAGE_TABLE = "tsdb-coverage";

    private static Optional<Tiers> read(EnvironmentReader variables) {
      if (variables.text("TIERS_TABLES").isEmpty()) {
        return Optional.empty();
      }
      String tables =
          variables.matching(
              "TIERS_TABLES", BackupSettings.TABLES, "must be names of HBase tables, with commas");
      String policy = variables.required("TIERS_POLICY");
      return variables
          .parsed("PROOF_ROOT", S3Location::parse)
          .map(proofs -> new Tiers(List.of(tables.split(",")), policy, proofs));
    }
  }

  /**
   * What {@code verify} compares.
   *
   * @param sample VERIFY_SAMPLE: share of the series, as the command's option
   * @param tables ROLLUP_TABLES: the exported tables of the rollups of the job's intervals,
   *     comma-separated
   */
  public record Verify(String sample, List<String> tables) {
    private static final Pattern SAMPLE = Pattern.compile("[0-9.]{1,12}%?");

    private static Optional<Verify> read(EnvironmentReader variables) {
      if (variables.text("VERIFY_SAMPLE").isEmpty()) {
        return Optional.empty();
      }
      String sample =
          variables.matching("VERIFY_SAMPLE", SAMPLE, "must be a part of the series, such as 1%");
      String tables =
          variables.matching(
              "ROLLUP_TABLES", BackupSettings.TABLES, "must be names of HBase tables, with commas");
      return Optional.of(new Verify(sample, List.of(tables.split(","))));
    }
  }

  /**
   * Reads the environment.
   *
   * @throws ConfigurationException with all problems
   */
  public static PrepareSettings read(Map<String, String> environment) {
    EnvironmentReader variables = new EnvironmentReader(environment);
    Optional<BackupSettings> backup = BackupSettings.read(variables);
    Optional<JobSettings> job = JobSettings.read(variables);
    Optional<String> patience =
        Optional.of(variables.text("COVERAGE_PATIENCE")).filter(text -> !text.isEmpty());
    if (patience.isPresent() && !PATIENCE.matcher(patience.get()).matches()) {
      variables.problem("COVERAGE_PATIENCE", "must be a time such as 30m", patience.get());
    }
    Optional<Tiers> tiers = Tiers.read(variables);
    if (tiers.isPresent() && job.isPresent()) {
      // A run that reads no or another table knows no floor, and takes the last rollups back.
      for (String table : job.get().options().values("--coverage-table")) {
        if (!table.equals(Tiers.COVERAGE_TABLE)) {
          variables.problem(
              "JOB_OPTIONS --coverage-table",
              "must be " + Tiers.COVERAGE_TABLE + " with TIERS_TABLES: it has the floors",
              table);
        }
      }
      if (!job.get().options().has("--coverage-table")) {
        job = Optional.of(job.get().with("--coverage-table", Tiers.COVERAGE_TABLE));
      }
    }
    Optional<Verify> verify = Verify.read(variables);
    String namespace = variables.required("METRICS_NAMESPACE");
    return new PrepareSettings(
        variables.complete(backup), variables.complete(job), patience, tiers, verify, namespace);
  }
}
