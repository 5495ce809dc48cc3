package io.tsdbsuite.trigger.step;

import io.tsdbsuite.trigger.config.BackupSettings;
import io.tsdbsuite.trigger.config.JobSettings;
import io.tsdbsuite.trigger.report.JobReport;
import io.tsdbsuite.trigger.report.ReportStore;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plans the run of each day: the options of Spark and of the job. */
public final class StepPlanner {
  private static final String ALLOW_LOST = "--allow-lost";

  private final BackupSettings backup;
  private final JobSettings job;
  private final ReportStore reports;
  private final LateDataPlanner lateData;
  private final List<String> sparkOptions;

  /** Plans runs with these settings. */
  public StepPlanner(BackupSettings backup, JobSettings job, ReportStore reports) {
    this.backup = backup;
    this.job = job;
    this.reports = reports;
    this.lateData = new LateDataPlanner(backup, job, reports);
    this.sparkOptions = new SparkOptions(backup, job).list();
  }

  /**
   * Plans the run of a day.
   *
   * @param before earlier days that the same execution runs from the same snapshots
   * @throws IOException when S3's response ends early
   */
  public DayRun run(WholeNight night, LocalDate day, List<LocalDate> before) throws IOException {
    LateDataSearch search = lateData.search(night, day, before);
    Optional<JobReport> report = reports.find(day);
    Optional<String> whyNot =
        report.flatMap(found -> new ResumeDecision(backup, job, night).whyNot(found, day, search));
    boolean resume = report.isPresent() && whyNot.isEmpty();
    return new DayRun(
        day,
        reports.place(day),
        sparkOptions,
        job.jar(),
        arguments(night, day, resume, search),
        whyNot.orElse(""),
        search);
  }

  private List<String> arguments(
      WholeNight night, LocalDate day, boolean resume, LateDataSearch search) {
    List<String> args = new ArrayList<>();
    add(args, "--snapshot-root", backup.root().hadoopUri());
    add(args, "--data-snapshot", night.night().dataSnapshot());
    add(args, "--uid-snapshot", night.night().uidSnapshot());
    add(args, "--day", day.toString());
    add(args, "--kafka-bootstrap", job.bootstrap());
    add(args, "--topic", job.topic());
    if (!job.kafkaConfig().isEmpty()) {
      add(args, "--kafka-config", job.kafkaConfig());
    }
    String report = reports.place(day).hadoopUri();
    add(args, "--report", report);
    if (resume) {
      add(args, "--resume", report);
    }
    args.addAll(search.args());
    args.addAll(jobOptions(search));
    return List.copyOf(args);
  }

  /**
   * JOB_OPTIONS, without {@code --allow-lost} in a run without a search. The job rejects the option
   * there, so only the first of several days could run.
   */
  private List<String> jobOptions(LateDataSearch search) {
    return search.searches() || job.option("--changed-since").isPresent()
        ? job.options()
        : job.options().stream()
            .filter(option -> !option.equals(ALLOW_LOST) && !option.startsWith(ALLOW_LOST + "="))
            .toList();
  }

  private static void add(List<String> args, String name, String value) {
    args.add(name);
    args.add(value);
  }
}
