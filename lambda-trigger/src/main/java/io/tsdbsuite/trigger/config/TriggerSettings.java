package io.tsdbsuite.trigger.config;

import java.util.Map;
import java.util.Optional;

/**
 * The settings of TriggerHandler.
 *
 * @param backup snapshots and reports
 * @param target TARGET and its variables: the service that runs the pipeline
 * @param catchUpDays CATCH_UP_DAYS: number of earlier days that are also run if they have no
 *     successful report; default 0
 * @param namespace METRICS_NAMESPACE
 */
public record TriggerSettings(
    BackupSettings backup, PipelineTarget target, int catchUpDays, String namespace) {

  /**
   * The template allows only 31, because the state of an execution holds the commands of all its
   * days (docs/aws-lambda.md). Longer gaps are backfills (docs/aws.md).
   */
  private static final int MAX_CATCH_UP = 90;

  /**
   * Reads the environment.
   *
   * @throws ConfigurationException with all problems
   */
  public static TriggerSettings read(Map<String, String> environment) {
    EnvironmentReader variables = new EnvironmentReader(environment);
    Optional<BackupSettings> backup = BackupSettings.read(variables);
    String service = PipelineTarget.service(variables);
    int catchUp = variables.number("CATCH_UP_DAYS", 0, MAX_CATCH_UP, 0);
    Optional<? extends PipelineTarget> target = PipelineTarget.read(variables, service, catchUp);
    String namespace = variables.required("METRICS_NAMESPACE");
    return new TriggerSettings(
        variables.complete(backup), variables.complete(target), catchUp, namespace);
  }
}
