package io.tsdbsuite.trigger.step;

import io.tsdbsuite.trigger.s3.S3Location;
import java.time.LocalDate;
import java.util.List;

/**
 * A step of an EMR cluster: one day.
 *
 * @param day the day, UTC
 * @param report location of the job's report
 * @param args arguments of command-runner.jar: the whole command
 * @param whole the reason why a day with a report is run from its beginning; otherwise empty
 * @param lateData the search for changed rows of earlier days
 */
public record EmrStep(
    LocalDate day, S3Location report, List<String> args, String whole, LateDataSearch lateData) {

  /** The step's name on the console. */
  public String name() {
    return "rollup " + day;
  }

  /** Whether the job resumes an earlier run. */
  public boolean resumes() {
    return args.contains("--resume");
  }
}
