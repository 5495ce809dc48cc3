package io.tsdbsuite.trigger.config;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * What TriggerHandler needs.
 *
 * @param backup where snapshots and reports are
 * @param target TARGET: default {@code step-functions}
 * @param stateMachineArn STATE_MACHINE_ARN; empty with another target
 * @param pipelineId PIPELINE_ID; empty with another target
 * @param catchUpDays CATCH_UP_DAYS: how many earlier days are run too if they have no successful
 *     report; default 0
 * @param job how the job is called; null with Step Functions, where PrepareHandler says it
 * @param namespace METRICS_NAMESPACE
 */
public record TriggerSettings(
    BackupSettings backup,
    Target target,
    String stateMachineArn,
    String pipelineId,
    int catchUpDays,
    JobSettings job,
    String namespace) {
  private static final Pattern ARN =
      Pattern.compile("arn:[^:]+:states:[^:]+:\\d{12}:stateMachine:\\S+");
  private static final Pattern PIPELINE = Pattern.compile("df-[A-Za-z0-9]+");

  /** More days than a snapshot is worth; a longer backfill is docs/aws.md's. */
  private static final int MAX_CATCH_UP = 90;

  /**
   * Reads the environment.
   *
   * @throws ConfigurationException with all problems
   */
  public static TriggerSettings read(Map<String, String> environment) {
    Variables variables = new Variables(environment);
    BackupSettings backup = BackupSettings.read(variables);
    String text = variables.text("TARGET");
    Target target =
        text.isEmpty() ? Target.STEP_FUNCTIONS : variables.parsed("TARGET", text, Target::parse);
    int catchUp = variables.number("CATCH_UP_DAYS", 0, MAX_CATCH_UP, 0);
    String arn = "";
    String pipeline = "";
    JobSettings job = null;
    if (target == Target.STEP_FUNCTIONS) {
      arn = variables.matching("STATE_MACHINE_ARN", ARN, "must be the ARN of a state machine");
    } else if (target == Target.DATA_PIPELINE) {
      pipeline = variables.matching("PIPELINE_ID", PIPELINE, "must be a pipeline's id (df-...)");
      job = JobSettings.read(variables);
      if (catchUp > 0) {
        variables.problem(
            "CATCH_UP_DAYS",
            "must be 0 with TARGET data-pipeline: a pipeline runs one activation at a time",
            Integer.toString(catchUp));
      }
    }
    String namespace = variables.required("METRICS_NAMESPACE");
    variables.requireNoProblem();
    return new TriggerSettings(backup, target, arn, pipeline, catchUp, job, namespace);
  }
}
