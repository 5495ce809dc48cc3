package io.tsdbsuite.trigger.config;

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
 * @param namespace METRICS_NAMESPACE
 */
public record PrepareSettings(
    BackupSettings backup, JobSettings job, Optional<String> coveragePatience, String namespace) {
  private static final Pattern PATIENCE = Pattern.compile("[0-9]{1,6}[smhd]");

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
    String namespace = variables.required("METRICS_NAMESPACE");
    return new PrepareSettings(
        variables.complete(backup), variables.complete(job), patience, namespace);
  }
}
