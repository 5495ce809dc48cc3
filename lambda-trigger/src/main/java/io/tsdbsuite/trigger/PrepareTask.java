package io.tsdbsuite.trigger;

import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.planner.report.CompletedDays;
import io.tsdbsuite.planner.report.HFileRuns;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.run.ReportMatch;
import io.tsdbsuite.planner.verify.VerifyDays;
import io.tsdbsuite.planner.verify.VerifyNight;
import io.tsdbsuite.trigger.config.PrepareSettings;
import io.tsdbsuite.trigger.config.PrepareSettings.Verify;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.S3HFiles;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.snapshot.Deadline;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck.IncompleteSnapshotException;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck.MissingSnapshotException;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import io.tsdbsuite.trigger.start.ExecutionInput;
import io.tsdbsuite.trigger.start.ExecutionInput.PrepareInput;
import io.tsdbsuite.trigger.start.RunningExecutions;
import io.tsdbsuite.trigger.step.DayStep;
import io.tsdbsuite.trigger.step.DayStep.DayRun;
import io.tsdbsuite.trigger.step.DayStep.JobRun;
import io.tsdbsuite.trigger.step.StepPlanner;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The first task of each attempt of an execution: plans the runs of the days to do, and before them
 * the looks for rollups of earlier days whose coverage is missing, or the loads of their HFiles.
 * Before them, because a run may store rollups of earlier days again, which then are no longer
 * those that the earlier run proves.
 */
final class PrepareTask {
  /** The coverage takes no window more than a week after its snapshot (docs/coverage.md). */
  private static final int COVERAGE_DAYS = 7;

  /** A night may have run so many days: its own and those of CATCH_UP_DAYS. */
  private static final int VERIFY_DAYS = 32;

  /**
   * Of which HFiles are looked for: a night runs up to 31 earlier days (CatchUpDays), and their
   * HFiles expire 14 days later (stacks/storage.yaml).
   */
  private static final int HFILE_DAYS = 45;

  /** TSDs had a day to store the rollups: the runs of this night must not wait for them. */
  private static final String ONE_LOOK = "0s";

  /**
   * What an attempt does.
   *
   * @param steps days, in this order
   * @param tiers commands after all days are done; empty without a policy of tiers, and if the
   *     night's own day is not among the days of the input
   * @param verify commands before these, under the same condition; empty without a verification,
   *     and if no day needs one
   */
  record Plan(List<DayStep> steps, List<JobRun> tiers, List<JobRun> verify) {}

  private final PrepareSettings settings;
  private final SnapshotCheck check;
  private final S3Reports reports;
  private final StepPlanner planner;
  private final RunningExecutions running;
  private final ReportMatch match;
  private final Optional<HFileRuns> hfiles;
  private final Clock clock;

  /**
   * @param backup reads the backup's bucket
   * @param store reads TSD_CONFIG, and which HFiles are loaded
   * @param clock the present
   */
  PrepareTask(
      PrepareSettings settings,
      ObjectStore backup,
      ObjectStore store,
      S3Reports reports,
      RunningExecutions running,
      Clock clock) {
    this.settings = settings;
    this.check = new SnapshotCheck(backup, settings.backup(), clock);
    this.reports = reports;
    this.planner =
        new StepPlanner(
            settings.backup(),
            settings.job(),
            store,
            reports,
            settings.coveragePatience().isPresent());
    this.running = running;
    this.hfiles = settings.job().hfiles().map(root -> new HFileRuns(new S3HFiles(store, root)));
    this.clock = clock;
    this.match =
        new ReportMatch(
            settings.backup().dataTable(), settings.job().options(), settings.job().topic());
  }

  /**
   * Plans the days whose coverage is missing or whose HFiles wait, and then the runs of the days
   * without a report of success, both the oldest day first.
   *
   * @param metrics receives DaysToRun, DaysDone, DaysResumed, LateDataLimited, DaysUncovered,
   *     DaysUnverified, SnapshotsNotWhole
   * @throws SnapshotNotWhole when a snapshot is incomplete, or no longer complete: ExportSnapshot
   *     removes a snapshot whose verification fails
   * @throws SnapshotMissing when nothing of a snapshot exists
   * @throws DayIsRunning when an older execution runs one of these days
   * @throws IllegalArgumentException when the input names another root
   */
  Plan plan(PrepareInput prepare, JsonLog log, Metrics metrics, Deadline deadline)
      throws IOException {
    ExecutionInput input = prepare.input();
    if (!input.root().equals(settings.backup().root())) {
      throw new IllegalArgumentException(
          "the input's root must be ROOT " + settings.backup().root() + ", found: " + input.root());
    }
    WholeNight night;
    try {
      // Before the check of the HFiles, which takes minutes: this is asked every five minutes while
      // the older execution runs.
      requireNotRunning(notDone(input, check.times(input.night())), prepare.execution());
      night = check.check(input.night(), deadline);
    } catch (IncompleteSnapshotException e) {
      metrics.count("SnapshotsNotWhole", 1);
      log.warn(e.getMessage());
      throw e instanceof MissingSnapshotException
          ? new SnapshotMissing(e)
          : new SnapshotNotWhole(e);
    }
    List<LocalDate> days = notDone(input, night.times());
    for (LocalDate day : input.days()) {
      if (!days.contains(day)) {
        metrics.count("DaysDone", 1);
        log.info("the day has a report of success", "day", day, "report", reports.place(day));
      }
    }
    requireNotRunning(days, prepare.execution());
    List<DayStep> steps = new ArrayList<>();
    for (LocalDate day : notLoaded(prepare, night.times(), days, log, metrics)) {
      steps.add(new DayStep(day, reports.place(day), Optional.empty(), Optional.empty()));
    }
    for (LocalDate day : uncovered(prepare, night.times(), days, log, metrics)) {
      steps.add(
          new DayStep(
              day,
              reports.place(day),
              Optional.empty(),
              Optional.of(planner.coverage(day, ONE_LOOK))));
    }
    for (int i = 0; i < days.size(); i++) {
      LocalDate day = days.get(i);
      DayRun run = planner.run(night, day, days.subList(0, i));
      Optional<JobRun> coverage =
          coveragePatience().map(patience -> planner.coverage(day, patience));
      steps.add(new DayStep(day, run.report(), Optional.of(run), coverage));
      metrics.count("DaysToRun", 1);
      metrics.count("DaysResumed", run.plan().resumes() ? 1 : 0);
      log.info(
          run.plan().resumes() ? "the day is resumed" : "the day is run from its beginning",
          "day",
          day,
          "report",
          run.report(),
          "why",
          run.plan().whole(),
          "lateData",
          String.join(" ", run.plan().lateData().args()));
      if (!run.plan().lateData().note().isEmpty()) {
        metrics.count("LateDataLimited", 1);
        log.warn(run.plan().lateData().note(), "day", day);
      }
    }
    // A backfill proves nothing: the snapshots may be old, and another execution is the night's.
    List<JobRun> tiers =
        settings
            .tiers()
            .filter(policy -> input.days().contains(night.day()))
            .map(policy -> planner.tiers(policy, night.night(), night.day()))
            .orElse(List.of());
    Optional<Verify> verify = settings.verify().filter(any -> input.days().contains(night.day()));
    return new Plan(
        List.copyOf(steps),
        tiers,
        verify.isPresent() ? verifications(verify.get(), night, log, metrics) : List.of());
  }

  /** The verifications of the days that the night before has run. */
  private List<JobRun> verifications(Verify verify, WholeNight night, JsonLog log, Metrics metrics)
      throws IOException {
    CompletedDays done = new CompletedDays(reports, night.times(), match::isOwn, clock.instant());
    VerifyNight found =
        VerifyNight.of(
            new VerifyDays(
                reports, day -> done.isDone(day, Instant.MIN), reports::findVerification),
            new VerifyDays.Window(LocalDate.MIN, night.day().minusDays(1), VERIFY_DAYS),
            night.snapshotTime(),
            (day, run) -> isStored(day, run, night.snapshotTime()));
    metrics.count("DaysUnverified", found.left().size());
    for (LocalDate day : found.left()) {
      log.warn("the day is not verified, and not any more", "day", day);
    }
    List<JobRun> commands = new ArrayList<>();
    found.runs().forEach((day, run) -> commands.add(planner.verify(verify, night, day, run)));
    return List.copyOf(commands);
  }

  /** Whether the rollups of a run were in HBase at a time: HFiles are since their load. */
  private boolean isStored(LocalDate day, JobReport run, Instant time) throws IOException {
    if (hfiles.isEmpty()) {
      return true;
    }
    Optional<JobReport> load =
        reports
            .findLoad(day)
            .filter(found -> found.ended().filter(ended -> !ended.isAfter(time)).isPresent());
    return hfiles.get().isLoadedBy(run, load);
  }

  /**
   * The days to look at again: done, not run by this execution or by a running one, and whose last
   * look did not find all rollups.
   *
   * @param days what this execution runs
   */
  private List<LocalDate> uncovered(
      PrepareInput prepare, SnapshotTimes night, List<LocalDate> days, JsonLog log, Metrics metrics)
      throws IOException {
    if (coveragePatience().isEmpty()) {
      return List.of();
    }
    LocalDate today = LocalDate.ofInstant(night.data(), ZoneOffset.UTC);
    SortedSet<LocalDate> candidates = withEarlier(prepare, today, COVERAGE_DAYS);
    candidates.removeAll(days);
    candidates.removeAll(running.startedBefore(prepare.execution()).keySet());
    List<LocalDate> due = new ArrayList<>();
    int count = 0;
    for (LocalDate day : candidates) {
      Optional<JobReport> run = reports.find(day).filter(found -> found.provesRollups(day));
      if (run.isEmpty()) {
        continue;
      }
      Optional<JobReport> look = reports.findCoverage(day);
      String why = look.map(found -> found.text("/coverage/reason")).orElse("");
      if (look.filter(found -> found.decidesCoverageOf(run.get())).isEmpty()) {
        due.add(day);
        why =
            look.map(found -> found.text("/message"))
                .filter(message -> !message.isEmpty())
                .orElse("no look at its rollups has ended since its run");
      }
      if (!why.isEmpty()) {
        count++;
        log.warn("the day is not covered", "day", day, "why", why);
      }
    }
    metrics.count("DaysUncovered", count);
    return due;
  }

  /** How long a look waits for TSDs; empty for no looks. A load covers its day itself. */
  private Optional<String> coveragePatience() {
    return hfiles.isPresent() ? Optional.empty() : settings.coveragePatience();
  }

  /** The days of the input, and a number of days before one. */
  private static SortedSet<LocalDate> withEarlier(PrepareInput prepare, LocalDate last, int count) {
    SortedSet<LocalDate> days = new TreeSet<>(prepare.input().days());
    for (int back = 1; back <= count; back++) {
      days.add(last.minusDays(back));
    }
    return days;
  }

  /**
   * The days that are done, and whose HFiles wait for a load. Two loads of one run must not meet: a
   * day of the input waits for an older execution of the day, and another one is left to a later
   * execution while any other one is running.
   *
   * @param days what this execution runs
   */
  private List<LocalDate> notLoaded(
      PrepareInput prepare, SnapshotTimes night, List<LocalDate> days, JsonLog log, Metrics metrics)
      throws IOException {
    if (hfiles.isEmpty()) {
      return List.of();
    }
    SortedSet<LocalDate> candidates = withEarlier(prepare, night.day(), HFILE_DAYS);
    candidates.removeAll(days);
    List<LocalDate> due = new ArrayList<>();
    int gone = 0;
    for (LocalDate day : candidates) {
      try {
        if (waiting(day).isPresent()) {
          log.warn("the HFiles of the day were not loaded", "day", day);
          due.add(day);
        }
      } catch (HFileRuns.GoneException e) {
        gone++;
        log.warn(e.getMessage() + "; run the day again", "day", day);
      }
    }
    metrics.count("DaysUncovered", due.size() + gone);
    requireNotRunning(
        due.stream().filter(prepare.input().days()::contains).toList(), prepare.execution());
    if (!due.isEmpty() && !running.isAlone(prepare.execution())) {
      due.retainAll(prepare.input().days());
    }
    return due;
  }

  /** The HFiles of a day that is done, unless they are loaded. */
  private Optional<String> waiting(LocalDate day) throws IOException, HFileRuns.GoneException {
    Optional<JobReport> run = reports.find(day).filter(found -> found.whyNotDone(day).isEmpty());
    return hfiles.isPresent() && run.isPresent()
        ? hfiles.get().waiting(run.get(), reports.findLoad(day))
        : Optional.empty();
  }

  /**
   * The load of the HFiles of a day that this execution has run, or whose HFiles it has found;
   * empty when they are loaded.
   *
   * @throws IllegalStateException when they are gone
   */
  Optional<JobRun> load(LocalDate day) throws IOException {
    try {
      return waiting(day).map(directory -> planner.load(day, directory));
    } catch (HFileRuns.GoneException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** The days of the input that are not done, or whose HFiles are gone without a load. */
  private List<LocalDate> notDone(ExecutionInput input, SnapshotTimes night) throws IOException {
    CompletedDays done = new CompletedDays(reports, night, match::isOwn, clock.instant());
    List<LocalDate> days = new ArrayList<>();
    for (LocalDate day : input.days()) {
      if (!done.isDone(day, input.notBefore()) || isGone(day)) {
        days.add(day);
      }
    }
    return days;
  }

  private boolean isGone(LocalDate day) throws IOException {
    try {
      waiting(day);
      return false;
    } catch (HFileRuns.GoneException e) {
      return true;
    }
  }

  private void requireNotRunning(List<LocalDate> days, String execution) {
    if (days.isEmpty()) {
      return;
    }
    Map<LocalDate, String> older = running.startedBefore(execution);
    for (LocalDate day : days) {
      if (older.containsKey(day)) {
        throw new DayIsRunning(day, older.get(day));
      }
    }
  }
}
