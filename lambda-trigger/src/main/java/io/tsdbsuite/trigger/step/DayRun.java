package io.tsdbsuite.trigger.step;

import io.tsdbsuite.planner.run.LateDataSearch;
import io.tsdbsuite.planner.run.PlannedRun;
import io.tsdbsuite.trigger.s3.S3Location;
import java.time.LocalDate;
import java.util.List;

/**
 * A run of the job on AWS: one day.
 *
 * @param plan the options of the job
 * @param report location of the job's report
 * @param sparkOptions options of spark-submit, before the jar
 * @param jar location of the job's jar
 */
public record DayRun(PlannedRun plan, S3Location report, List<String> sparkOptions, String jar) {

  /** The day, UTC. */
  public LocalDate day() {
    return plan.day();
  }

  /** The run's name on the console. */
  public String name() {
    return plan.name();
  }

  /** Options of the job. */
  public List<String> arguments() {
    return plan.arguments();
  }

  /** The reason why a day with a report is run from its beginning; otherwise empty. */
  public String whole() {
    return plan.whole();
  }

  /** The search for changed rows of earlier days. */
  public LateDataSearch lateData() {
    return plan.lateData();
  }

  /** Whether the job resumes an earlier run. */
  public boolean resumes() {
    return plan.resumes();
  }

  /** The command of the job. */
  public JobRun job() {
    return new JobRun(name(), sparkOptions, jar, arguments());
  }

  /** The whole command, arguments of command-runner.jar on an EMR cluster. */
  public List<String> command() {
    return job().command();
  }
}
