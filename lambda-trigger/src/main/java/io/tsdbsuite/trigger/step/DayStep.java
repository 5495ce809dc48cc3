package io.tsdbsuite.trigger.step;

import io.tsdbsuite.planner.run.PlannedRun;
import io.tsdbsuite.trigger.s3.S3Location;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the state machine does for one day. With neither a run nor a coverage it only loads the
 * HFiles of an earlier run.
 *
 * @param day UTC
 * @param report location of the report of the day's run
 * @param run the run; empty if the day is done and only its coverage is missing
 * @param coverage adds what the run proves to the coverage; empty without a coverage
 */
public record DayStep(
    LocalDate day, S3Location report, Optional<DayRun> run, Optional<JobRun> coverage) {
  /**
   * A run of the job on AWS: one day.
   *
   * @param plan the options of the job
   * @param report location of the job's report
   * @param job the command
   */
  public record DayRun(PlannedRun plan, S3Location report, JobRun job) {}

  /**
   * A command of rollup-job on AWS.
   *
   * @param name its name on the console
   * @param sparkOptions options of spark-submit, before the jar
   * @param jar location of the job's jar
   * @param arguments what follows the jar
   */
  public record JobRun(String name, List<String> sparkOptions, String jar, List<String> arguments) {
    /** The whole command, arguments of command-runner.jar on an EMR cluster. */
    public List<String> command() {
      List<String> command = new ArrayList<>(List.of("spark-submit"));
      command.addAll(sparkOptions);
      command.add(jar);
      command.addAll(arguments);
      return List.copyOf(command);
    }
  }
}
