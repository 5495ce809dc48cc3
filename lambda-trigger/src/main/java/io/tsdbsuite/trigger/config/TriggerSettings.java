package io.tsdbsuite.trigger.config;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings of TriggerHandler.
 *
 * @param backup snapshots and reports
 * @param stateMachineArn STATE_MACHINE_ARN: runs the pipeline
 * @param catchUpDays CATCH_UP_DAYS: number of earlier days that are also run if they have no
 *     successful report; default 0
 * @param namespace METRICS_NAMESPACE
 */
public record TriggerSettings(
    BackupSettings backup, String stateMachineArn, int catchUpDays, String namespace) {

  /**
   * The template allows only 31, because the state of an execution holds the commands of all its
   * days (docs/aws-reference.md). Longer gaps are backfills (docs/aws.md).
   */
  private static final int MAX_CATCH_UP = 90;

  private static final Pattern ARN =
      Pattern.compile("arn:[^:]+:states:[^:]+:\\d{12}:stateMachine:\\S+");

  /**
   * Reads the environment.
   *
   * @throws ConfigurationException with all problems
   */
  public static TriggerSettings read(Map<String, String> environment) {
    EnvironmentReader variables = new EnvironmentReader(environment);
    Optional<BackupSettings> backup = BackupSettings.read(variables);
    int catchUp = variables.number("CATCH_UP_DAYS", 0, MAX_CATCH_UP, 0);
    String stateMachine =
        variables.matching("STATE_MACHINE_ARN", ARN, "must be the ARN of a state machine");
    String namespace = variables.required("METRICS_NAMESPACE");
    return new TriggerSettings(variables.complete(backup), stateMachine, catchUp, namespace);
  }
}
