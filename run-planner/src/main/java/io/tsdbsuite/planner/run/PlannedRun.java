package io.tsdbsuite.planner.run;

import java.time.LocalDate;
import java.util.List;

/**
 * The planned run of a day.
 *
 * @param day the day, UTC
 * @param arguments all options of the job
 * @param whole the reason why a day with a report is run from its beginning; otherwise empty
 * @param lateData the search for changed rows of earlier days
 */
public record PlannedRun(
    LocalDate day, List<String> arguments, String whole, LateDataSearch lateData) {
  /** Option of a run that resumes an earlier one. */
  static final String RESUME = "--resume";

  /** The run's name. */
  public String name() {
    return "rollup " + day;
  }

  /** Whether the job resumes an earlier run. */
  public boolean resumes() {
    return arguments.contains(RESUME);
  }
}
