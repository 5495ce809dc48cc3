package io.tsdbsuite.trigger.step;

import io.tsdbsuite.trigger.s3.S3Location;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of the job: one day.
 *
 * @param day the day, UTC
 * @param report location of the job's report
 * @param sparkOptions options of spark-submit, before the jar
 * @param jar location of the job's jar
 * @param arguments options of the job
 * @param whole the reason why a day with a report is run from its beginning; otherwise empty
 * @param lateData the search for changed rows of earlier days
 */
public record DayRun(
    LocalDate day,
    S3Location report,
    List<String> sparkOptions,
    String jar,
    List<String> arguments,
    String whole,
    LateDataSearch lateData) {

  /** The run's name on the console. */
  public String name() {
    return "rollup " + day;
  }

  /** Whether the job resumes an earlier run. */
  public boolean resumes() {
    return arguments.contains("--resume");
  }

  /** The whole command, arguments of command-runner.jar on an EMR cluster. */
  public List<String> command() {
    List<String> command = new ArrayList<>(List.of("spark-submit"));
    command.addAll(sparkOptions);
    command.add(jar);
    command.addAll(arguments);
    return List.copyOf(command);
  }
}
