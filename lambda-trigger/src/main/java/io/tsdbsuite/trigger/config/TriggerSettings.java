package io.tsdbsuite.trigger.config;

import io.tsdbsuite.planner.due.NightRule;
import io.tsdbsuite.planner.run.CommandOptions;
import io.tsdbsuite.planner.run.ReportMatch;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings of TriggerHandler.
 *
 * @param backup snapshots and reports
 * @param match JOB_OPTIONS, TOPIC (not with --sink hfile): which reports are of the runs that
 *     PrepareHandler plans
 * @param stateMachineArn STATE_MACHINE_ARN: runs the pipeline
 * @param nights which days a night starts: CATCH_UP_DAYS, number of earlier days that are also run
 *     if they are due, default 0; and --hold-back and --allow-expired of JOB_OPTIONS
 * @param namespace METRICS_NAMESPACE
 */
public record TriggerSettings(
    BackupSettings backup,
    ReportMatch match,
    String stateMachineArn,
    NightRule nights,
    String namespace) {

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
    Optional<CommandOptions> options = JobSettings.options(variables);
    String topic = JobSettings.topic(variables, options);
    int catchUp = variables.number("CATCH_UP_DAYS", 0, MAX_CATCH_UP, 0);
    String stateMachine =
        variables.matching("STATE_MACHINE_ARN", ARN, "must be the ARN of a state machine");
    String namespace = variables.required("METRICS_NAMESPACE");
    BackupSettings found = variables.complete(backup);
    CommandOptions job = variables.complete(options);
    return new TriggerSettings(
        found,
        new ReportMatch(found.dataTable(), job, topic),
        stateMachine,
        NightRule.of(catchUp, job),
        namespace);
  }
}
