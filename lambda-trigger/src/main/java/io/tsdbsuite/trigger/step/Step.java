package io.tsdbsuite.trigger.step;

import io.tsdbsuite.trigger.s3.S3Location;
import java.time.LocalDate;
import java.util.List;

/**
 * A step of an EMR cluster: one day.
 *
 * @param day the day, UTC
 * @param report where the job writes its report
 * @param args of command-runner.jar: the whole command
 * @param whole why the day is run from its beginning though it has a report; empty otherwise
 * @param lateData how it finds changed rows of earlier days
 */
public record Step(
    LocalDate day, S3Location report, List<String> args, String whole, LateDataSearch lateData) {

  /** What the step is called on the console. */
  public String name() {
    return "rollup " + day;
  }

  /** Whether the job goes on where an earlier run ended. */
  public boolean resumes() {
    return args.contains("--resume");
  }
}
