package io.tsdbsuite.nightly.run;

import io.tsdbsuite.hbase.AccessFailures;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.nightly.process.RunLock;
import io.tsdbsuite.nightly.report.NightReportFile;
import io.tsdbsuite.nightly.report.NightResult;
import io.tsdbsuite.nightly.snapshot.LiveSnapshots;
import io.tsdbsuite.nightly.storage.SiteFiles;
import io.tsdbsuite.planner.due.DueDay;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.NightSnapshots;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * One run: deletes data that are proven to be in wider rollups, takes and exports the snapshots,
 * rolls up the days that are due, verifies, proves, deletes old snapshots, writes metrics. What is
 * done is known from the job's reports and from HBase alone, so a run that was killed is continued
 * by the next one.
 */
public final class Nightly {
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
      requireTicket();
      context.reports().create();
      DryRun.requireCommands(context.config());
      steps(days);
    } catch (JobException e) {
      result.fail(e);
    } catch (IOException e) {
      result.fail(context.reports().failed(e));
    } catch (RuntimeException | Error e) {
      // The report and the metrics of the run must tell it.
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace, true));
      context.progress().accept(trace.toString());
      result.fail(JobException.defect("a defect of rollup-nightly, please report it: " + e, e));
    }
    finish(started);
  }

  private void requireTicket() {
    // HBase's client can log in by itself.
    String missing =
        context.config().clients().hbase().containsKey("hbase.client.keytab.file")
            ? null
            : AccessFailures.missingTicket();
    if (missing != null) {
      throw JobException.usage("the cluster demands Kerberos: " + missing);
    }
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
          .fail(
              JobException.outside(
                  "the report " + own + " was not written: " + StorageFailures.reason(e), e));
    }
  }

  private void steps(List<LocalDate> days) throws IOException {
    try (Nights nights = new Nights(context, creationTime)) {
      nights.live().ifPresent(this::deleteLeft);
      TiersStep tiers = new TiersStep(context);
      if (days.isEmpty()) {
        tiers.apply(nights::takesNow);
      }
      nights.prepare();
      DuePlanner planner = new DuePlanner(context, nights, Optional.empty());
      RollupStep rollups = new RollupStep(context, nights, planner);
      List<DueDay> planned = planner.planned(days);
      if (days.isEmpty()) {
        rollups.loadWaiting();
      }
      CoverageStep coverage = new CoverageStep(context, planner.due());
      coverage.lookAgain(nights.live(), days);
      rollups.run(planned, !days.isEmpty());
      coverage.run(nights.live());
      new Verification(context).run(planner.due(), nights, days);
      if (days.isEmpty()) {
        tiers.prove(nights);
      }
      // A run of given days does not know which nights the other days need.
      if (days.isEmpty()
          && (context.result().exitCode() == ExitCode.DONE
              || context.result().exitCode() == ExitCode.BAD_INPUT)) {
        Set<Night> needed = new HashSet<>(planner.needed());
        tiers.needed().ifPresent(needed::add);
        new PruneStep(context)
            .run(nights.live(), needed, planner.due().newest().map(NightSnapshots::night));
      }
    }
  }

  private void deleteLeft(LiveSnapshots live) {
    try {
      RollupSnapshots.deleteLeft(context, live);
    } catch (JobException e) {
      context.result().fail(e);
    }
  }

  /**
   * Says what a run would do; changes nothing, and needs no lock.
   *
   * @param days as for {@link #run}
   * @param lines receives one line for each step
   * @return what has failed
   * @throws JobException usage, if a day is in the future, or a command or directory cannot be;
   *     outside, if a file system does not answer
   */
  public NightResult plan(List<LocalDate> days, Consumer<String> lines) {
    requirePast(days);
    DryRun.requireCommands(context.config());
    requireTicket();
    DryRun.requirePlaces(context);
    try (Nights nights = new Nights(context, creationTime)) {
      new DryRun(context, nights, lines).tell(days);
    }
    return context.result();
  }
}
