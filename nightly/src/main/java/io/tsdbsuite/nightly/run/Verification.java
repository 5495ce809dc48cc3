package io.tsdbsuite.nightly.run;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.config.ConfigReader;
import io.tsdbsuite.nightly.config.NightlyConfig.VerifySettings;
import io.tsdbsuite.nightly.report.DayResult;
import io.tsdbsuite.nightly.snapshot.LiveSnapshots;
import io.tsdbsuite.planner.due.DueDays;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.run.CommandOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

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

  /**
   * Verifies the days that need it, and adds to the result the days that no later run verifies.
   * Failures are in the results of the days.
   *
   * @param days the given days of the run; empty for those that are due
   */
  void run(DueDays due, Nights nights, List<LocalDate> days) throws IOException {
    Optional<NightSnapshots> newest = due.newest();
    boolean needsHBase = settings.against() == VerifySettings.Against.SNAPSHOT;
    if (settings.against() == VerifySettings.Against.NONE
        || newest.isEmpty()
        || (needsHBase && nights.live().isEmpty())) {
      return;
    }
    LocalDate first = due.lastDay().minusDays(settings.days() - 1L);
    SortedSet<LocalDate> all = new TreeSet<>(days);
    for (LocalDate day = first; !day.isAfter(due.lastDay()); day = day.plusDays(1)) {
      if (!day.isBefore(context.config().firstDay())) {
        all.add(day);
      }
    }
    context.result().days().stream()
        .filter(DayResult::isRolledUp)
        .forEach(result -> all.add(result.day()));
    addUnverified(due, first, all);
    for (LocalDate day : all) {
      if (!context.result().day(day).isFailed() && due.isDone(day) && isDue(day)) {
        verify(day, newest.get(), nights.live());
      }
    }
  }

  /**
   * Adds to the result the days that no later run verifies. Each is in the line of as many runs as
   * {@code verify.days} has days.
   *
   * @param first the first day of the window
   * @param verified the days that this run verifies
   */
  private void addUnverified(DueDays due, LocalDate first, Set<LocalDate> verified)
      throws IOException {
    List<String> left = new ArrayList<>();
    for (LocalDate day = first.minusDays(settings.days());
        day.isBefore(first);
        day = day.plusDays(1)) {
      boolean ours = !day.isBefore(context.config().firstDay()) && !verified.contains(day);
      if (ours && due.isDone(day) && isDue(day)) {
        left.add(day.toString());
      }
    }
    if (!left.isEmpty()) {
      context
          .result()
          .add("not verified within verify.days, and not any more: " + String.join(", ", left));
    }
  }

  /** Whether a day needs a verification. */
  private boolean isDue(LocalDate day) {
    Optional<JobReport> job = context.reports().find(day);
    if (job.isEmpty() || job.get().whyNotDone(day).isPresent()) {
      return false;
    }
    Optional<JobReport> verified = context.reports().find(COMMAND, day);
    Instant rolledUp = job.get().ended().orElse(Instant.MAX);
    return verified.isEmpty()
        || !verified.get().text("/exitCode").equals("0")
        || verified.get().ended().filter(time -> !time.isBefore(rolledUp)).isEmpty();
  }

  /**
   * Verifies a day. A failure is in the day's result.
   *
   * @param live HBase; empty if it was not asked
   */
  private void verify(LocalDate day, NightSnapshots night, Optional<LiveSnapshots> live) {
    DayResult result = context.result().day(day);
    context.progress().accept(day + ": verifying " + settings.sample());
    long end = System.nanoTime() + settings.patience().toNanos();
    try {
      Optional<JobException> failure = once(day, night, live);
      while (failure.isPresent() && System.nanoTime() < end) {
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

  /**
   * Verifies once.
   *
   * @return empty if all rollups are equal; a failure if there are differences, which may vanish
   * @throws JobException for each other failure
   */
  private Optional<JobException> once(
      LocalDate day, NightSnapshots night, Optional<LiveSnapshots> live) {
    String location = context.reports().location(COMMAND, day);
    List<String> snapshots = new ArrayList<>();
    EndedCommand ended;
    try {
      take(snapshots, live);
      ended =
          context.run(
              "rollup-job verify",
              COMMAND + "-" + day,
              context.commands().verify(night.night(), day, against(snapshots), location),
              location);
    } finally {
      snapshots.forEach(name -> live.orElseThrow().delete(name));
    }
    if (ended.code() == ExitCode.BAD_INPUT
        && ended.report().filter(Verification::differs).isPresent()) {
      return Optional.of(ended.failure());
    }
    ended.success();
    return Optional.empty();
  }

  private static boolean differs(JobReport report) {
    return Stream.of("missing", "extra", "different")
        .anyMatch(verdict -> report.number("/compared/" + verdict) > 0);
  }

  private List<String> against(List<String> snapshots) {
    return settings.against() == VerifySettings.Against.TSD
        ? List.of("--against-tsd", settings.tsd())
        : List.of(
            "--against-snapshot",
            String.join(",", snapshots),
            "--rollup-root",
            context.config().place().hbaseRoot());
  }

  /** The options of what the raw data are compared with, for people: without the owner's number. */
  List<String> shownAgainst() {
    return against(List.copyOf(snapshots(SNAPSHOT_PREFIX + "OWNER-").keySet()));
  }

  /**
   * Takes snapshots of the rollup tables, which replace those of a verification before.
   *
   * @param taken receives the name of each one before it is taken
   */
  private void take(List<String> taken, Optional<LiveSnapshots> live) {
    if (settings.against() == VerifySettings.Against.SNAPSHOT) {
      snapshots(prefix())
          .forEach(
              (name, table) -> {
                taken.add(name);
                live.orElseThrow().retake(name, table);
              });
    }
  }

  /** The tables by the names of their snapshots: a number tells {@code a:b} from {@code a-b}. */
  private Map<String, String> snapshots(String prefix) {
    Map<String, String> snapshots = new LinkedHashMap<>();
    if (settings.against() == VerifySettings.Against.SNAPSHOT) {
      for (String table : rollupTables()) {
        snapshots.put(prefix + snapshots.size() + "-" + table.replace(':', '-'), table);
      }
    }
    return snapshots;
  }

  /**
   * Deletes the snapshots that a killed run has left: they hold HFiles that HBase has compacted.
   *
   * @throws JobException outside, if HBase fails
   */
  void deleteLeft(LiveSnapshots live) {
    live.deleteAll(prefix());
  }

  /** One HBase may have the snapshots of several state directories: each deletes its own only. */
  private String prefix() {
    return SNAPSHOT_PREFIX + context.children().owner() + "-";
  }

  private Set<String> rollupTables() {
    CommandOptions options = context.config().runs().options();
    List<String> intervals = new ArrayList<>();
    for (String value : options.values("--interval")) {
      intervals.addAll(List.of(value.split("\\s*,\\s*", -1)));
    }
    if (intervals.isEmpty()) {
      intervals.add("1h");
    }
    RollupConfig rollups = rollups(options);
    Set<String> tables = new LinkedHashSet<>();
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
              : StorageSchema.from(ConfigReader.tsdConfig(context.config().tsdConfig(), options))
                  .rollupConfig();
      if (location == null) {
        throw JobException.usage(
            "verify.against=snapshot needs a rollup configuration: tsd.rollups.config, or"
                + " --rollup-config in job.options");
      }
      return RollupConfig.load(location);
    } catch (IOException | SchemaException e) {
      throw JobException.usage(
          "the rollup configuration cannot be read: " + StorageFailures.reason(e), e);
    }
  }
}
