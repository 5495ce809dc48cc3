package io.tsdbsuite.nightly.run;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.nightly.config.Key;
import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.nightly.config.NightlyConfig.VerifySettings;
import io.tsdbsuite.nightly.process.Children;
import io.tsdbsuite.nightly.process.StateDirectory;
import io.tsdbsuite.nightly.snapshot.RootSnapshots;
import io.tsdbsuite.nightly.snapshot.SnapshotExport;
import io.tsdbsuite.nightly.snapshot.SnapshotKind;
import io.tsdbsuite.nightly.storage.FileSystems;
import io.tsdbsuite.nightly.storage.LocalDirectory;
import io.tsdbsuite.planner.due.DueDay;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.planner.run.ShellWords;
import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The checks of a run, and what it would do. Changes nothing. */
final class DryRun {
  /** Lines of a command's output that are shown when it fails. */
  private static final int SHOWN_LINES = 30;

  /** The job warns of a topic or brokers that its run would refuse; its dry run ends with 0. */
  private static final String WARNING = "rollup-job: warning: ";

  private static final Set<String> SEARCH =
      Set.of("--since-report", "--refresh-report", "--changed-since");

  private final Context context;
  private final Nights nights;
  private final Consumer<String> lines;
  private final JobCommands commands;

  /**
   * @param lines receives one line for each step
   */
  DryRun(Context context, Nights nights, Consumer<String> lines) {
    this.context = context;
    this.nights = nights;
    this.lines = lines;
    // For people: without the mark, so that no run ends a process that they start.
    this.commands = new JobCommands(context.config(), List::of);
  }

  /**
   * Checks that the programs of the commands are there.
   *
   * @throws JobException usage, if one is not
   */
  static void requireCommands(NightlyConfig config) {
    Problems problems = new Problems();
    requireProgram(problems, Key.SPARK_COMMAND, config.spark().command());
    if (config.snapshots().take() && config.place().isExported()) {
      requireProgram(problems, Key.EXPORT_COMMAND, config.snapshots().exportCommand());
    }
    if (!config.metrics().command().isEmpty()) {
      requireProgram(problems, Key.METRICS_COMMAND, config.metrics().command());
    }
    problems.throwIfAny();
  }

  private static void requireProgram(Problems problems, Key key, List<String> command) {
    String program = command.isEmpty() ? "" : command.get(0);
    boolean found =
        program.contains("/")
            ? Files.isExecutable(Path.of(program))
            : List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .stream()
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    if (program.isEmpty() || !found) {
      problems.add(
          "%s must be a program that is there, or on the PATH, found: '%s'"
              .formatted(key.text(), program));
    }
  }

  /**
   * Checks that the places that a run writes and reads can be.
   *
   * @throws JobException usage, if a local one cannot be made; outside, if another does not answer
   */
  static void requirePlaces(Context context) {
    NightlyConfig config = context.config();
    LocalDirectory.requireMakeable(Key.STATE_DIR.text(), config.stateDir());
    StateDirectory.requireWritable(config.stateDir());
    context.reports().requireMakeable();
    List<String> places =
        new ArrayList<>(
            List.of(config.place().hbaseRoot(), config.place().exportRoot(), config.reports()));
    config.runs().options().option("--hfile-dir").ifPresent(places::add);
    String proofs = config.tiers().proofs();
    if (config.tiers().isOn() && !proofs.contains(":/") && !Files.isDirectory(Path.of(proofs))) {
      throw JobException.usage(
          Key.TIERS_PROOFS.text() + " must be a directory that exists, found: " + proofs);
    }
    places.addAll(List.of(proofs, config.tiers().hfileDir()));
    for (String place : places) {
      if (place.contains(":/")) {
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(place);
        try {
          FileSystems.of(path, context.hadoop()).exists(path);
        } catch (IOException e) {
          throw FileSystems.failed(place + " cannot be read", e);
        }
      }
    }
  }

  /**
   * A line for each step; rollup-job checks the options of the first day.
   *
   * @param days the given days; empty for those that are due
   */
  void tell(List<LocalDate> days) {
    TiersStep tiers = new TiersStep(context);
    boolean isOfDays = days.isEmpty() && !tiers.isIdleAlone();
    if (isOfDays && nights.takesNow()) {
      tiers.applies(commands).forEach(each -> lines.accept(line("first", each)));
    }
    Optional<NightSnapshots> coming = snapshots();
    DuePlanner planner = new DuePlanner(context, nights, coming);
    List<DueDay> planned = planner.planned(days);
    DayRunner runner = new DayRunner(context, nights);
    Map<LocalDate, Night> runs = new LinkedHashMap<>();
    new RollupStep(context, nights, planner)
        .run(
            planned,
            !days.isEmpty(),
            (day, night) -> {
              List<String> arguments = runner.plan(day, night).arguments();
              lines.accept(line(day.toString(), commands.rollup(arguments, nights.live())));
              if (runs.isEmpty()) {
                check(day, arguments, coming.filter(night::equals));
              }
              runs.put(day, night.night());
            });
    for (DueDay one : planned) {
      if (!runs.containsKey(one.day())) {
        lines.accept(context.result().day(one.day()).text());
      }
    }
    if (planned.isEmpty()) {
      lines.accept("no day is due");
    }
    runs.entrySet().stream()
        .findFirst()
        .ifPresent(first -> afterwards(first.getKey(), first.getValue()));
    if (context.config().tiers().isOn() && days.isEmpty()) {
      tiers.idle().ifPresent(lines);
    }
    if (context.config().tiers().isOn() && isOfDays) {
      lines.accept(
          line(
              "at the end",
              commands.prove(
                  SnapshotKind.of(context.config()).night(nights.today()),
                  RollupSnapshots.ofProof(context).shown(),
                  context.reports().location(TiersStep.PROVE))));
    }
    if (!context.config().pruneOptions().isEmpty() && days.isEmpty() && !runs.isEmpty()) {
      lines.accept(line("at the end", commands.prune(context.reports().location("prune"))));
    }
  }

  /** The commands after rollup-job, of a day. */
  private void afterwards(LocalDate day, Night night) {
    NightlyConfig config = context.config();
    if (config.writesHFiles()) {
      lines.accept(line("then", commands.load("HFILES", context.reports().location("load", day))));
    }
    if (CoverageStep.isWanted(config, nights.live())) {
      lines.accept(
          line(
              "then",
              commands.coverage(
                  context.reports().location(day),
                  config.coverage().patience(),
                  context.reports().location("coverage", day))));
    }
    if (config.verify().against() != VerifySettings.Against.NONE) {
      List<String> against = new Verification(context).shownAgainst();
      lines.accept(
          line(
              "then",
              commands.verify(night, day, against, context.reports().location("verify", day))));
    }
  }

  private static String line(String step, List<String> command) {
    return step + ": " + ShellWords.join(command);
  }

  /**
   * A line for each snapshot and each export.
   *
   * @return the night, if the job cannot read it yet
   */
  private Optional<NightSnapshots> snapshots() {
    NightlyConfig config = context.config();
    if (!config.snapshots().take() || nights.live().isEmpty()) {
      return Optional.empty();
    }
    if (nights.takenLater().isPresent()) {
      lines.accept("snapshots: none are taken before " + nights.takenLater().get());
      return Optional.empty();
    }
    SnapshotKind kind = SnapshotKind.of(config);
    Night night = kind.night(nights.today());
    Optional<NightSnapshots> live =
        nights.live().get().nights().stream().filter(one -> one.night().equals(night)).findFirst();
    if (live.isEmpty()) {
      lines.accept(
          "snapshots: %s and %s would be taken first"
              .formatted(night.dataSnapshot(), night.uidSnapshot()));
    }
    RootSnapshots root = new RootSnapshots(context.hadoop(), config.place().snapshotRoot(), kind);
    boolean isThere = true;
    SnapshotExport export = new SnapshotExport(config, context.children(), root);
    for (String name : List.of(night.dataSnapshot(), night.uidSnapshot())) {
      if (root.find(name).isEmpty()) {
        isThere = false;
        if (config.place().isExported()) {
          lines.accept(line("export", export.shown(name, root.isHalf(name))));
        }
      }
    }
    Instant now = context.clock().instant();
    return isThere
        ? Optional.empty()
        : live.or(
            () ->
                Optional.of(
                    new NightSnapshots(
                        night, new SnapshotTimes(now, now, SnapshotKind.DAYS_BEFORE))));
  }

  /**
   * Runs the job's own dry run.
   *
   * @param coming the night, if it is not there yet: the job then checks all but the snapshots
   */
  private void check(LocalDate day, List<String> arguments, Optional<NightSnapshots> coming) {
    List<String> all = withoutSearch(arguments);
    all.add("--dry-run");
    String out;
    int status;
    try {
      Process process =
          new ProcessBuilder(commands.job(all))
              .redirectErrorStream(true)
              .redirectInput(new File("/dev/null"))
              .start();
      out = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
      status = process.waitFor();
    } catch (IOException e) {
      throw JobException.usage(
          "rollup-job --dry-run cannot be started: " + StorageFailures.reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside("rollup-job --dry-run was interrupted", e);
    }
    boolean lacksSnapshot =
        status(status) == ExitCode.USAGE
            && coming.filter(night -> lacksSnapshot(out, night)).isPresent();
    if (status == 0 || lacksSnapshot) {
      lines.accept(
          "%s: rollup-job --dry-run accepts its options%s"
              .formatted(day, lacksSnapshot ? "; the snapshots are not there yet" : ""));
      for (String warning : out.lines().filter(line -> line.contains(WARNING)).toList()) {
        lines.accept(day + ": " + warning);
        if (warning.contains(WARNING + "a run would end at once: ")) {
          context.result().day(day).fail(ExitCode.OUTSIDE, warning);
        } else if (warning.contains(WARNING + "a run would be refused: ")) {
          context.result().day(day).fail(ExitCode.USAGE, warning);
        }
      }
      return;
    }
    List<String> shown = out.lines().toList();
    shown
        .subList(Math.max(0, shown.size() - SHOWN_LINES), shown.size())
        .forEach(context.progress());
    context
        .result()
        .day(day)
        .fail(
            status(status),
            "rollup-job --dry-run ended with status " + status + ", its last lines are above");
  }

  /** The job's dry run refuses the options of the search for late data: it reads no data. */
  private static List<String> withoutSearch(List<String> arguments) {
    List<String> left = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      String name = arguments.get(i).replaceFirst("=.*", "");
      if (SEARCH.contains(name)) {
        i += name.equals(arguments.get(i)) ? 1 : 0;
      } else if (!name.equals("--allow-lost")) {
        left.add(arguments.get(i));
      }
    }
    return left;
  }

  /** Whether the job misses nothing but a snapshot that the night takes or exports first. */
  private boolean lacksSnapshot(String out, NightSnapshots night) {
    if (out.contains("snapshot '" + night.night().dataSnapshot() + "' is not under")) {
      return true;
    }
    // The first snapshot makes the directory, also in the root of an HBase.
    String root = context.config().place().snapshotRoot();
    return out.contains("snapshot root " + root + " has no ")
        && (context.config().place().isExported() || isHBase(root));
  }

  private boolean isHBase(String root) {
    org.apache.hadoop.fs.Path id = new org.apache.hadoop.fs.Path(root, "hbase.id");
    try {
      return FileSystems.of(id, context.hadoop()).exists(id);
    } catch (IOException e) {
      throw FileSystems.failed(id + " cannot be read", e);
    }
  }

  private static ExitCode status(int status) {
    Children.Run run = new Children.Run(status, Instant.EPOCH);
    return new EndedCommand("--dry-run", run, Optional.empty(), Path.of("")).code();
  }
}
