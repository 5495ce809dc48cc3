package io.tsdbsuite.trigger.config;

import java.util.Map;

/**
 * What PrepareHandler needs.
 *
 * @param backup where snapshots and reports are
 * @param job how the job is called
 * @param namespace METRICS_NAMESPACE
 */
public record PrepareSettings(BackupSettings backup, JobSettings job, String namespace) {

  /**
   * Reads the environment.
   *
   * @throws ConfigurationException with all problems
   */
  public static PrepareSettings read(Map<String, String> environment) {
    Variables variables = new Variables(environment);
    BackupSettings backup = BackupSettings.read(variables);
    JobSettings job = JobSettings.read(variables);
    String namespace = variables.required("METRICS_NAMESPACE");
    variables.requireNoProblem();
    return new PrepareSettings(backup, job, namespace);
  }
}
