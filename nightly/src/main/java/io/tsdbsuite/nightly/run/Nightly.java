package io.tsdbsuite.nightly.run;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.nightly.config.VerifySettings;
import io.tsdbsuite.nightly.process.RunLock;
import io.tsdbsuite.nightly.report.DayResult;
import io.tsdbsuite.nightly.report.NightReportFile;
import io.tsdbsuite.nightly.report.NightResult;
import io.tsdbsuite.nightly.storage.SiteFiles;
import io.tsdbsuite.planner.due.DueDay;
import io.tsdbsuite.planner.due.DueDays;
import io.tsdbsuite.planner.due.DueRule;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.NightSnapshots;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * One run: takes and exports the snapshots, rolls up the days that are due, verifies, deletes old
 * snapshots, writes metrics. What is done is known from the job's reports and from HBase alone, so
 * a run that was killed is continued by the next one.
 */
public final class Nightly {
  /** A day that has waited this long for a snapshot is told as a failure. */
  private static final Duration PATIENCE = Duration.ofDays(1);

  private final Context context;
  private final LongSupplier creationTime;

  /**
   * @param clock the present
   * @param creationTime creation time of new snapshots, milliseconds since the epoch, or {@link
   *     io.tsdbsuite.nightly.snapshot.LiveSnapshots#MASTERS_TIME}
   * @param progress takes one line for each step
   */
  public Nightly(
      NightlyConfig config, Clock clock, LongSupplier creationTime, Consumer<String> progress) {
    this.context = Context.of(config, clock, hadoop(config), progress);
    this.creationTime = creationTime;
  }

  private static Configuration hadoop(NightlyConfig config) {
    Configuration hadoop = new Configuration();
    new SiteFiles(System.getenv()).addHadoop(hadoop);
    config.clients().hadoop().forEach(hadoop::set);
    S3RetryDefaults.apply(hadoop);
    if (hadoop.get("hadoop.security.authentication", "simple").equalsIgnoreCase("kerberos")) {
      // Logins read the settings of the class path only.
      UserGroupInformation.setConfiguration(hadoop);
    }
    return hadoop;
  }

  /**
   * Runs.
   *
   * @param days the days to roll up, whether or not they are done; empty for those that are due
   * @return what was done, and what has failed
   * @throws JobException outside, if another run has the lock; usage, if a day is in the future
   */
  public NightResult run(List<LocalDate> days) {
    requirePast(days);
    RunLock lock = RunLock.take(context.config().stateDir());
    try {
      locked(days);
    } finally {
      lock.close();
    }
    return context.result();
  }

  /** A day in the future is a wrong year or a wrong clock: without a message nothing is due. */
  private void requirePast(List<LocalDate> days) {
    LocalDate today = LocalDate.ofInstant(context.clock().instant(), ZoneOffset.UTC);
    Problems problems = new Problems();
    LocalDate first = context.config().firstDay();
    if (first.isAfter(today)) {
      problems.add("first-day must not be later than today, " + today + " UTC, found: " + first);
    }
    for (LocalDate day : days) {
      if (day.isAfter(today)) {
        problems.add("--day must not be later than today, " + today + " UTC, found: " + day);
      }
    }
    problems.throwIfAny();
  }

  private void locked(List<LocalDate> days) {
    NightResult result = context.result();
    Instant started = context.clock().instant();
    try {
      List<Long> ended = context.children().endOrphans();
      if (!ended.isEmpty()) {
        result.add("ended " + ended.size() + " processes of a run that was killed");
      }
      context.reports().create();
      steps(days);
    } catch (JobException e) {
      result.fail(e);
    } catch (IOException e) {
      result.fail(context.reportsFailed(e));
    } catch (RuntimeException | Error e) {
      // The report and the metrics of the run must tell it.
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace, true));
      context.progress().accept(trace.toString());
      result.fail(JobException.defect("a defect of rollup-nightly, please report it: " + e, e));
    }
    finish(started);
  }

  private void finish(Instant started) {
    Path own = context.config().stateDir().resolve("last-run.json");
    try {
      NightReportFile.write(own, context.result(), started, context.clock().instant());
      new MetricsStep(context).run(own);
    } catch (JobException e) {
      context.result().fail(e);
    } catch (IOException e) {
      context
          .result()
          .fail(JobException.outside("the report " + own + " was not written: " + e, e));
    }
  }

  private void steps(List<LocalDate> days) throws IOException {
    try (Nights nights = new Nights(context, creationTime)) {
      nights.prepare();
      List<NightSnapshots> readable = nights.readable();
      DueDays due = due(nights, readable);
      DayRunner runner = new DayRunner(context);
      List<DueDay> planned = planned(due, days);
      if (days.isEmpty()) {
        loadWaiting(runner, due);
      }
      rollUp(planned, runner, waiting -> missing(waiting, nights, readable));
      verify(due, nights, days);
      // A run of given days does not know which nights the other days need.
      if (days.isEmpty()
          && (context.result().exitCode() == ExitCode.DONE
              || context.result().exitCode() == ExitCode.BAD_INPUT)) {
        new PruneStep(context)
            .run(nights.live(), needed(due), due.newest().map(NightSnapshots::night));
      }
    }
  }

  /** The days that are due, and the choice of their snapshots. */
  private DueDays due(Nights nights, List<NightSnapshots> readable) {
    DueDays any = due(readable, Optional.empty());
    return due(readable, nights.ttl(any.newest()));
  }

  private DueDays due(List<NightSnapshots> readable, Optional<Duration> ttl) {
    NightlyConfig config = context.config();
    return new DueDays(
        context.ownReports(),
        new DueRule(config.firstDay(), config.holdBack(), ttl),
        readable,
        context.clock().instant());
  }

  private List<DueDay> planned(DueDays due, List<LocalDate> days) {
    try {
      return days.isEmpty()
          ? due.find()
          : days.stream().distinct().sorted().map(due::plan).toList();
    } catch (IOException e) {
      throw context.reportsFailed(e);
    }
  }

  /** Loads HFiles of days whose job has ended, and whose load has not. */
  private void loadWaiting(DayRunner runner, DueDays due) throws IOException {
    if (!context.config().writesHFiles()) {
      return;
    }
    for (LocalDate day = context.config().firstDay();
        !day.isAfter(due.lastDay());
        day = day.plusDays(1)) {
      if (due.isDone(day)) {
        runner.load(day);
      }
    }
  }

  private void rollUp(
      List<DueDay> planned, DayRunner runner, Function<DueDay, Optional<String>> missing) {
    int runs = 0;
    Optional<LocalDate> stopped = Optional.empty();
    for (DueDay due : planned) {
      DayResult result = context.result().day(due.day());
      switch (due.state()) {
        case EXPIRED ->
            result.fail(
                ExitCode.BAD_INPUT,
                due.why()
                    + "; roll up the rest with --allow-expired, or set first-day to a later day");
        case WAITS -> waits(due, result, missing);
        case RUN -> {
          if (stopped.isPresent()) {
            result.waits("not rolled up, because of " + stopped.get());
          } else if (runs == context.config().maxDays()) {
            result.waits("not rolled up, because of max-days");
            result.fail(ExitCode.OUTSIDE, "run again for the rest");
          } else {
            runs++;
            runner.run(due.day(), due.night().orElseThrow());
            // Bad input is a matter of this day. Anything else would fail the next day too.
            if (result.isFailed() && result.exitCode() != ExitCode.BAD_INPUT) {
              stopped = Optional.of(due.day());
            }
          }
        }
      }
    }
  }

  private void waits(DueDay due, DayResult result, Function<DueDay, Optional<String>> missing) {
    Instant now = context.clock().instant();
    result.waits(due.why());
    if (readable(due.day()).isAfter(now)) {
      return;
    }
    Optional<String> why = missing.apply(due);
    if (why.isPresent()) {
      result.fail(ExitCode.OUTSIDE, why.get());
    }
    if (readable(due.day()).plus(PATIENCE).isBefore(now)) {
      result.fail(ExitCode.OUTSIDE, "it has waited for more than a day");
    }
  }

  /** The time from which on a snapshot holds a day. */
  private Instant readable(LocalDate day) {
    return day.plusDays(1)
        .atStartOfDay(ZoneOffset.UTC)
        .toInstant()
        .plus(context.config().holdBack());
  }

  /** Why no snapshot holds a day that is due, if the next one may be a day away. */
  private Optional<String> missing(DueDay due, Nights nights, List<NightSnapshots> readable) {
    return nights
        .takenLater()
        .map(from -> "run again from " + from + " on")
        .or(
            () ->
                MissingSnapshot.why(
                    readable(due.day()), nights.today(), readable, context.clock().instant()));
  }

  private void verify(DueDays due, Nights nights, List<LocalDate> days) throws IOException {
    VerifySettings settings = context.config().verify();
    Optional<NightSnapshots> newest = due.newest();
    boolean needsHBase = settings.against() == VerifySettings.Against.SNAPSHOT;
    if (settings.against() == VerifySettings.Against.NONE
        || newest.isEmpty()
        || (needsHBase && nights.live().isEmpty())) {
      return;
    }
    Verification verification = new Verification(context);
    LocalDate first = due.lastDay().minusDays(settings.days() - 1L);
    Set<LocalDate> all = new HashSet<>(days);
    for (LocalDate day = first; !day.isAfter(due.lastDay()); day = day.plusDays(1)) {
      if (!day.isBefore(context.config().firstDay())) {
        all.add(day);
      }
    }
    for (DayResult told : context.result().days()) {
      if (told.isRolledUp()) {
        all.add(told.day());
      }
    }
    tellUnverified(first, all, due, verification);
    for (LocalDate day : all.stream().sorted().toList()) {
      boolean failed = context.result().day(day).isFailed();
      if (!failed && due.isDone(day) && verification.isDue(day)) {
        verification.run(day, newest.get(), nights.live());
      }
    }
  }

  /**
   * Tells the days that no run verifies any more. They are told for as many days as {@code
   * verify.days} has.
   *
   * @param first the first day of the window
   * @param verified the days that this run verifies
   */
  private void tellUnverified(
      LocalDate first, Set<LocalDate> verified, DueDays due, Verification verification)
      throws IOException {
    List<String> left = new ArrayList<>();
    for (LocalDate day = first.minusDays(context.config().verify().days());
        day.isBefore(first);
        day = day.plusDays(1)) {
      boolean ours = !day.isBefore(context.config().firstDay()) && !verified.contains(day);
      if (ours && due.isDone(day) && verification.isDue(day)) {
        left.add(day.toString());
      }
    }
    if (!left.isEmpty()) {
      context
          .result()
          .add("not verified within verify.days, and not any more: " + String.join(", ", left));
    }
  }

  /** Nights of the days that are still due. */
  private static Set<Night> needed(DueDays due) throws IOException {
    Set<Night> needed = new HashSet<>();
    for (DueDay day : due.find()) {
      day.night().ifPresent(night -> needed.add(night.night()));
    }
    return needed;
  }

  /**
   * Says what a run would do; changes nothing, and needs no lock.
   *
   * @param days as for {@link #run}
   * @param lines receives one line for each step
   * @return what has failed
   * @throws JobException usage, if a day is in the future
   */
  public NightResult plan(List<LocalDate> days, Consumer<String> lines) {
    requirePast(days);
    try (Nights nights = new Nights(context, creationTime)) {
      new DryRun(context, nights).tell(lines);
      List<NightSnapshots> readable = nights.readable();
      DueDays due = due(nights, readable);
      DayRunner runner = new DayRunner(context);
      List<DueDay> planned = planned(due, days);
      for (DueDay one : planned) {
        lines.accept(
            one.state() == DueDay.State.RUN
                ? DryRun.line(
                    one.day().toString(),
                    context
                        .commands()
                        .shown(runner.plan(one.day(), one.night().orElseThrow()).arguments()))
                : one.day() + ": " + one.why());
      }
      if (planned.isEmpty()) {
        lines.accept("no day is due");
      }
    }
    return context.result();
  }
}
