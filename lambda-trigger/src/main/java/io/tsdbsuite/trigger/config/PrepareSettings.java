package io.tsdbsuite.trigger.config;

import java.util.Map;
import java.util.Optional;

/**
 * The settings of PrepareHandler.
 *
 * @param backup snapshots and reports
 * @param job command line of the job
 * @param namespace METRICS_NAMESPACE
 */
public record PrepareSettings(BackupSettings backup, JobSettings job, String namespace) {

  /**
   * Reads the environment.
   *
   * @throws ConfigurationException with all problems
   */
  public static PrepareSettings read(Map<String, String> environment) {
    EnvironmentReader variables = new EnvironmentReader(environment);
    Optional<BackupSettings> backup = BackupSettings.read(variables);
    Optional<JobSettings> job = JobSettings.read(variables);
    String namespace = variables.required("METRICS_NAMESPACE");
    return new PrepareSettings(variables.complete(backup), variables.complete(job), namespace);
  }
}
