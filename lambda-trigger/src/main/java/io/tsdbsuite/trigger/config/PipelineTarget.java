package io.tsdbsuite.trigger.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The service that runs the pipeline. */
public sealed interface PipelineTarget {
  /** The value of TARGET for {@link StepFunctions}. */
  String STEP_FUNCTIONS = "step-functions";

  /** The value of TARGET for {@link DataPipeline}. */
  String DATA_PIPELINE = "data-pipeline";

  /**
   * TARGET {@code step-functions}, the default: an execution of a state machine of AWS Step
   * Functions, whose PrepareHandler builds the command line of the job.
   *
   * @param stateMachineArn STATE_MACHINE_ARN
   */
  record StepFunctions(String stateMachineArn) implements PipelineTarget {
    private static final Pattern ARN =
        Pattern.compile("arn:[^:]+:states:[^:]+:\\d{12}:stateMachine:\\S+");

    private static StepFunctions read(EnvironmentReader environment) {
      return new StepFunctions(
          environment.matching("STATE_MACHINE_ARN", ARN, "must be the ARN of a state machine"));
    }
  }

  /**
   * TARGET {@code data-pipeline}: an activation of a pipeline of AWS Data Pipeline, which is closed
   * to new customers.
   *
   * @param pipelineId PIPELINE_ID
   * @param job command line of the job
   */
  record DataPipeline(String pipelineId, JobSettings job) implements PipelineTarget {
    private static final Pattern ID = Pattern.compile("df-[A-Za-z0-9]+");

    private static Optional<DataPipeline> read(EnvironmentReader environment, int catchUpDays) {
      String id = environment.matching("PIPELINE_ID", ID, "must be a pipeline's id (df-...)");
      Optional<JobSettings> job = JobSettings.read(environment);
      if (catchUpDays > 0) {
        environment.problem(
            "CATCH_UP_DAYS",
            "must be 0 with TARGET data-pipeline: a pipeline runs one activation at a time",
            Integer.toString(catchUpDays));
      }
      if (job.isPresent() && job.get().compute().kind() != ComputeSettings.Kind.EMR) {
        environment.problem(
            "COMPUTE_KIND",
            "must be EMR with TARGET data-pipeline",
            job.get().compute().kind().name());
      }
      return job.map(settings -> new DataPipeline(id, settings));
    }
  }

  /** Reads TARGET; a problem when its value is not a service. */
  static String service(EnvironmentReader environment) {
    String service = environment.text("TARGET");
    if (!List.of("", STEP_FUNCTIONS, DATA_PIPELINE).contains(service)) {
      environment.problem("TARGET", "must be " + STEP_FUNCTIONS + " or " + DATA_PIPELINE, service);
    }
    return service;
  }

  /** Reads the variables of a service; empty after a problem. */
  static Optional<? extends PipelineTarget> read(
      EnvironmentReader environment, String service, int catchUpDays) {
    return switch (service) {
      case "", STEP_FUNCTIONS -> Optional.of(StepFunctions.read(environment));
      case DATA_PIPELINE -> DataPipeline.read(environment, catchUpDays);
      default -> Optional.empty();
    };
  }
}
