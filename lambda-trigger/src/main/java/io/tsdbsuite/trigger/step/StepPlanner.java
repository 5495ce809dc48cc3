package io.tsdbsuite.trigger.step;

import io.tsdbsuite.planner.run.PlannedRun;
import io.tsdbsuite.planner.run.RunPlanner;
import io.tsdbsuite.trigger.config.BackupSettings;
import io.tsdbsuite.trigger.config.JobSettings;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;

/** Plans the run of each day: the options of Spark and of the job. */
public final class StepPlanner {
  private final S3Reports reports;
  private final RunPlanner planner;
  private final List<String> sparkOptions;
  private final String jar;

  /** Plans runs with these settings. */
  public StepPlanner(BackupSettings backup, JobSettings job, S3Reports reports) {
    this.reports = reports;
    this.planner = new RunPlanner(job.runs(backup), reports);
    this.sparkOptions = new SparkOptions(backup, job).list();
    this.jar = job.jar();
  }

  /**
   * Plans the run of a day.
   *
   * @param before earlier days that the same execution runs from the same snapshots
   * @throws IOException when S3's response ends early
   */
  public DayRun run(WholeNight night, LocalDate day, List<LocalDate> before) throws IOException {
    PlannedRun plan = planner.plan(night.night(), night.times(), day, before);
    return new DayRun(plan, reports.place(day), sparkOptions, jar);
  }
}
