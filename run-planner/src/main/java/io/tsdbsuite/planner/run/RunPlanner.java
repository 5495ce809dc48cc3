package io.tsdbsuite.planner.run;

import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.report.ReportStore;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Plans the run of a day: the options of the job. */
public final class RunPlanner {
  /** Options of the job that a plan or its caller sets, so that the user's must not have them. */
  public static final Set<String> OPTIONS =
      Set.of(
          "--snapshot-root",
          "--data-snapshot",
          "--uid-snapshot",
          "--day",
          "--from",
          "--to",
          "--kafka-bootstrap",
          "--topic",
          "--kafka-config",
          "--report",
          "--resume",
          "--dry-run",
          "--since-report",
          "--refresh-report",
          "--output");

  private static final String ALLOW_LOST = "--allow-lost";
  private static final String PER_MESSAGE = "--rollups-per-message";

  /** The hours of a day. */
  private static final String ROLLUPS_PER_MESSAGE = "24";

  private final RunSettings settings;
  private final ReportStore reports;
  private final LateDataPlanner lateData;

  /** Plans runs with these settings. No failed day is run again without being asked for. */
  public RunPlanner(RunSettings settings, ReportStore reports) {
    this(settings, reports, day -> false, CoverageRefresh.NONE);
  }

  /**
   * Plans runs with these settings.
   *
   * @param isRunAgain whether a day is run again until it succeeds: then the days after it need not
   *     search for what its run finds
   * @param refreshes which runs have refreshed the coverage
   */
  public RunPlanner(
      RunSettings settings,
      ReportStore reports,
      Predicate<LocalDate> isRunAgain,
      CoverageRefresh refreshes) {
    this.settings = settings;
    this.reports = reports;
    this.lateData = new LateDataPlanner(settings, reports, isRunAgain, refreshes);
  }

  /**
   * Plans the run of a day.
   *
   * @param night the snapshots to read
   * @param times times at which they were taken
   * @param before earlier days that run before it from the same snapshots
   * @throws IOException when the reports cannot be read
   */
  public PlannedRun plan(Night night, SnapshotTimes times, LocalDate day, List<LocalDate> before)
      throws IOException {
    LateDataSearch search = lateData.search(times, day, before);
    Optional<JobReport> report = reports.find(day);
    ResumeDecision decision = new ResumeDecision(settings, night, times);
    Optional<String> whyNot = report.flatMap(found -> decision.whyNot(found, day, search));
    boolean resume = report.isPresent() && whyNot.isEmpty();
    return new PlannedRun(day, arguments(night, day, resume, search), whyNot.orElse(""), search);
  }

  private List<String> arguments(
      Night night, LocalDate day, boolean resume, LateDataSearch search) {
    List<String> args = new ArrayList<>();
    add(args, "--snapshot-root", settings.snapshotRoot());
    add(args, "--data-snapshot", night.dataSnapshot());
    if (readsUidSnapshot()) {
      add(args, "--uid-snapshot", night.uidSnapshot());
    }
    add(args, "--day", day.toString());
    settings.kafka().ifPresent(kafka -> addKafka(args, kafka));
    String report = reports.location(day);
    add(args, "--report", report);
    if (resume) {
      add(args, PlannedRun.RESUME, report);
    }
    args.addAll(search.args());
    args.addAll(furtherOptions(search).words());
    return List.copyOf(args);
  }

  /** The job refuses the option in a run that needs no names, or asks HBase for them. */
  private boolean readsUidSnapshot() {
    CommandOptions options = settings.options();
    boolean needsNames =
        !options.option("--sink").orElse("kafka").equalsIgnoreCase("hfile")
            || options.option("--metrics").isPresent()
            || settings.suite().filter(this::selectsMetrics).isPresent();
    return needsNames
        && !options.option("--uid-source").orElse("snapshot").equalsIgnoreCase("hbase");
  }

  /** Whether rollups of some metrics, by their names, have more than sum, min, max and count. */
  private boolean selectsMetrics(SuiteConfig suite) {
    return settings.anyInterval(
        each -> suite.histogram(each) || !suite.aggregators(each).isEmpty());
  }

  private void addKafka(List<String> args, KafkaTarget kafka) {
    add(args, "--kafka-bootstrap", kafka.bootstrap());
    add(args, "--topic", kafka.topic());
    if (!kafka.config().isEmpty()) {
      add(args, "--kafka-config", kafka.config());
    }
    CommandOptions options = settings.options();
    // A limit of messages was chosen for one rollup in each.
    if (!options.has(PER_MESSAGE)
        && !options.has("--max-messages-per-second")
        && !options.option("--format").orElse("").equalsIgnoreCase("aggregate")) {
      add(args, PER_MESSAGE, ROLLUPS_PER_MESSAGE);
    }
  }

  /**
   * The further options, without {@code --allow-lost} in a run without a search. The job rejects
   * the option there, so only the first of several days could run.
   */
  private CommandOptions furtherOptions(LateDataSearch search) {
    CommandOptions options = settings.options();
    return search.searches() || options.option("--changed-since").isPresent()
        ? options
        : options.without(ALLOW_LOST);
  }

  private static void add(List<String> args, String name, String value) {
    args.add(name);
    args.add(value);
  }
}
