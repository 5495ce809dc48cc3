package io.tsdbsuite.trigger.step;

import io.tsdbsuite.trigger.config.BackupSettings;
import io.tsdbsuite.trigger.config.JobSettings;
import io.tsdbsuite.trigger.report.JobReport;
import io.tsdbsuite.trigger.report.Reports;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the command of each day. */
public final class StepPlanner {
  private static final String ALLOW_LOST = "--allow-lost";

  private final BackupSettings backup;
  private final JobSettings job;
  private final Reports reports;
  private final LateDataPlanner lateData;

  /** For these settings. */
  public StepPlanner(BackupSettings backup, JobSettings job, Reports reports) {
    this.backup = backup;
    this.job = job;
    this.reports = reports;
    this.lateData = new LateDataPlanner(backup, job, reports);
  }

  /**
   * The step of a day.
   *
   * @param before days that are run before it from the same snapshots
   * @throws IOException when S3's answer breaks off
   */
  public Step step(WholeNight night, LocalDate day, List<LocalDate> before) throws IOException {
    LateDataSearch search = lateData.search(night, day, before);
    Optional<JobReport> report = reports.find(day);
    Optional<String> whyNot =
        report.flatMap(found -> new ResumeDecision(backup, job, night).whyNot(found, day, search));
    boolean resume = report.isPresent() && whyNot.isEmpty();
    return new Step(
        day, reports.place(day), args(night, day, resume, search), whyNot.orElse(""), search);
  }

  private List<String> args(
      WholeNight night, LocalDate day, boolean resume, LateDataSearch search) {
    List<String> args = new ArrayList<>(List.of("spark-submit"));
    if (!job.setsDeployMode()) {
      add(args, "--deploy-mode", "client");
    }
    args.addAll(job.sparkOptions());
    args.add(job.jar());
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
   * JOB_OPTIONS. The job refuses {@code --allow-lost} in a run that searches nothing; with it in
   * JOB_OPTIONS the first of several days would be the only one that can be run.
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
