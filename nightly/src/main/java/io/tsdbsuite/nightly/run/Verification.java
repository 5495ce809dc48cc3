package io.tsdbsuite.nightly.run;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.config.VerifySettings;
import io.tsdbsuite.nightly.process.ChildRun;
import io.tsdbsuite.nightly.report.DayResult;
import io.tsdbsuite.nightly.snapshot.LiveSnapshots;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.run.CommandOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Verifies a sample of each day that has no verification of success since it was rolled up. While
 * TSDs still store rollups, differences are expected: the verification is repeated until there are
 * none, or the patience is over.
 */
final class Verification {
  private static final String COMMAND = "verify";
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final String SNAPSHOT_PREFIX = "rollup-nightly-verify-";

  private final Context context;
  private final VerifySettings settings;

  Verification(Context context) {
    this.context = context;
    this.settings = context.config().verify();
  }

  /** Whether a day needs a verification. */
  boolean isDue(LocalDate day) {
    try {
      Optional<JobReport> job = context.reports().find(day);
      if (job.isEmpty() || job.get().whyNotDone(day).isPresent()) {
        return false;
      }
      Optional<JobReport> verified = context.reports().find(COMMAND, day);
      Instant rolledUp = job.get().ended().orElse(Instant.MAX);
      return verified.isEmpty()
          || !verified.get().text("/exitCode").equals("0")
          || verified.get().ended().filter(time -> !time.isBefore(rolledUp)).isEmpty();
    } catch (IOException e) {
      throw context.reportsFailed(e);
    }
  }

  /**
   * Verifies a day. A failure is in the day's result.
   *
   * @param live HBase; empty if it was not asked
   */
  void run(LocalDate day, NightSnapshots night, Optional<LiveSnapshots> live) {
    DayResult result = context.result().day(day);
    context.progress().accept(day + ": verifying " + settings.sample());
    long end = System.nanoTime() + settings.patience().toNanos();
    try {
      Optional<JobException> failure = once(day, night, live);
      while (failure.isPresent()
          && failure.get().exitCode() == ExitCode.BAD_INPUT
          && System.nanoTime() < end) {
        Thread.sleep(PAUSE.toMillis());
        failure = once(day, night, live);
      }
      if (failure.isPresent()) {
        throw failure.get();
      }
      result.add("verified");
    } catch (JobException e) {
      result.fail(e.exitCode(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside("the verification was interrupted", e);
    }
  }

  private Optional<JobException> once(
      LocalDate day, NightSnapshots night, Optional<LiveSnapshots> live) {
    Map<String, String> snapshots = snapshots(live);
    String location = context.reports().location(COMMAND, day);
    String step = COMMAND + "-" + day;
    ChildRun child =
        context
            .children()
            .run(step, context.commands().verify(night.night(), day, against(snapshots), location));
    snapshots.keySet().forEach(name -> live.orElseThrow().delete(name));
    Optional<JobReport> report;
    try {
      report = context.reports().find(COMMAND, day);
    } catch (IOException e) {
      throw context.reportsFailed(e);
    }
    ExitCode code = ChildStatus.of(child, report);
    if (report.isPresent() && !context.written().contains(location)) {
      context.written().add(location);
    }
    Optional<String> whyNot = ChildStatus.whyNotOf(child, report);
    if (code == ExitCode.DONE && whyNot.isPresent()) {
      throw JobException.defect(
          "rollup-job verify ended with status 0, but "
              + whyNot.get()
              + ", see "
              + context.children().log(step),
          null);
    }
    return code == ExitCode.DONE
        ? Optional.empty()
        : Optional.of(
            ChildStatus.failure(
                "rollup-job verify", child, code, report, context.children().log(step)));
  }

  private List<String> against(Map<String, String> snapshots) {
    return settings.against() == VerifySettings.Against.TSD
        ? List.of("--against-tsd", settings.tsd())
        : List.of(
            "--against-snapshot",
            String.join(",", snapshots.keySet()),
            "--rollup-root",
            context.config().place().hbaseRoot());
  }

  /** Takes snapshots of the rollup tables, which replace those of a verification before. */
  private Map<String, String> snapshots(Optional<LiveSnapshots> live) {
    Map<String, String> snapshots = new LinkedHashMap<>();
    if (settings.against() == VerifySettings.Against.SNAPSHOT) {
      for (String table : rollupTables()) {
        String name = prefix() + table.replace(':', '-');
        live.orElseThrow().retake(name, table);
        snapshots.put(name, table);
      }
    }
    return snapshots;
  }

  /** One HBase may have several state directories: each verifies with snapshots of its own. */
  private String prefix() {
    return "%s%08x-".formatted(SNAPSHOT_PREFIX, context.config().stateDir().toString().hashCode());
  }

  private List<String> rollupTables() {
    CommandOptions options = context.config().runs().options();
    List<String> intervals = new ArrayList<>();
    for (String value : options.values("--interval")) {
      intervals.addAll(List.of(value.split("\\s*,\\s*", -1)));
    }
    if (intervals.isEmpty()) {
      intervals.add("1h");
    }
    RollupConfig rollups = rollups(options);
    List<String> tables = new ArrayList<>();
    for (String interval : intervals) {
      RollupInterval found = rollups.interval(interval.strip());
      if (found == null) {
        throw JobException.usage(
            "job.options --interval must be in rollup_config.json, found: " + interval);
      }
      tables.add(found.table());
    }
    return tables;
  }

  private RollupConfig rollups(CommandOptions options) {
    try {
      Optional<String> given = options.option("--rollup-config");
      String location =
          given.isPresent()
              ? given.get()
              : StorageSchema.from(TsdConfig.load(context.config().tsdConfig())).rollupConfig();
      if (location == null) {
        throw JobException.usage(
            "verify.against=snapshot needs a rollup configuration: tsd.rollups.config, or"
                + " --rollup-config in job.options");
      }
      return RollupConfig.load(location);
    } catch (IOException | SchemaException e) {
      throw JobException.usage("the rollup configuration cannot be read: " + e.getMessage(), e);
    }
  }
}
