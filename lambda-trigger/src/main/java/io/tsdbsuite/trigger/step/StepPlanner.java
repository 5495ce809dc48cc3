package io.tsdbsuite.trigger.step;

import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.run.CoverageRefresh;
import io.tsdbsuite.planner.run.PlannedRun;
import io.tsdbsuite.planner.run.RunPlanner;
import io.tsdbsuite.planner.run.RunSettings;
import io.tsdbsuite.planner.verify.VerifyArguments;
import io.tsdbsuite.trigger.config.BackupSettings;
import io.tsdbsuite.trigger.config.JobSettings;
import io.tsdbsuite.trigger.config.PrepareSettings.Tiers;
import io.tsdbsuite.trigger.config.PrepareSettings.Verify;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.ObjectStore.StoredObject;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import io.tsdbsuite.trigger.step.DayStep.DayRun;
import io.tsdbsuite.trigger.step.DayStep.JobRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Plans the run of each day: the options of Spark and of the job. */
public final class StepPlanner {
  private static final int MAX_CONFIG_BYTES = 1 << 20;

  /**
   * The most days of each table that a night proves. One more day is due each night, so 7 make up
   * for missed nights. Proven days that were not deleted are proven again; refused days count.
   */
  private static final String MAX_DAYS = "7";

  private final BackupSettings backup;
  private final JobSettings job;
  private final ObjectStore store;
  private final S3Reports reports;
  private final CoverageRefresh refreshes;
  private final List<String> sparkOptions;

  /**
   * Plans runs with these settings.
   *
   * @param store reads TSD_CONFIG
   * @param covers whether a look at the rollups follows each run
   */
  public StepPlanner(
      BackupSettings backup,
      JobSettings job,
      ObjectStore store,
      S3Reports reports,
      boolean covers) {
    this.backup = backup;
    this.job = job;
    this.store = store;
    this.reports = reports;
    this.refreshes =
        covers ? CoverageRefresh.by(day -> adds(day).stream().toList()) : CoverageRefresh.NONE;
    this.sparkOptions = new SparkOptions(backup, job).list();
  }

  /** The report of the command that adds a day's run to the coverage: a load does it itself. */
  private Optional<JobReport> adds(LocalDate day) throws IOException {
    return job.hfiles().isPresent() ? reports.findLoad(day) : reports.findCoverage(day);
  }

  /**
   * Plans the run of a day.
   *
   * @param before earlier days that the same execution runs from the same snapshots
   * @throws IOException when S3's response ends early, or TSD_CONFIG cannot be read
   */
  public DayRun run(WholeNight night, LocalDate day, List<LocalDate> before) throws IOException {
    PlannedRun plan =
        // A failed day of this execution is among the days before; an earlier one is no longer run.
        new RunPlanner(settings(), reports, earlier -> false, refreshes)
            .plan(night.night(), night.times(), day, before);
    return new DayRun(
        plan,
        reports.place(day),
        new JobRun(plan.name(), sparkOptions, job.jar(), plan.arguments()));
  }

  /**
   * The look for the rollups of a day in HBase, after which they are covered.
   *
   * @param patience how long TSDs may take to store what is missing, as the job's option
   */
  public JobRun coverage(LocalDate day, String patience) {
    List<String> arguments = new ArrayList<>(List.of("coverage", "add"));
    arguments.addAll(List.of("--evidence", reports.location(day)));
    arguments.addAll(configuration());
    arguments.addAll(List.of("--patience", patience));
    arguments.addAll(List.of("--report", reports.coveragePlace(day).hadoopUri()));
    return new JobRun("coverage " + day, sparkOptions, job.jar(), List.copyOf(arguments));
  }

  /**
   * The load of the HFiles of a day's run, which also covers the day.
   *
   * @param directory of that run, as in its report
   */
  public JobRun load(LocalDate day, String directory) {
    List<String> arguments = new ArrayList<>(List.of("load", "--hfile-dir", directory));
    arguments.addAll(configuration());
    for (String name : List.of("--coverage-table", "--hbase-property")) {
      job.options().values(name).forEach(value -> arguments.addAll(List.of(name, value)));
    }
    arguments.addAll(List.of("--report", reports.loadPlace(day).hadoopUri()));
    return new JobRun("load " + day, sparkOptions, job.jar(), List.copyOf(arguments));
  }

  /**
   * The page of what a policy lets go, and the proofs of the days that it lets go; in this order.
   *
   * @param night names of its snapshots; those of the rollup tables have the same date
   * @param day of the night
   */
  public List<JobRun> tiers(Tiers tiers, Night night, LocalDate day) {
    String rollups = snapshots(tiers.tables(), night, day);
    List<String> input =
        new ArrayList<>(
            List.of(
                "--policy",
                tiers.policy(),
                "--snapshot-root",
                backup.root().hadoopUri(),
                "--data-snapshot",
                night.dataSnapshot(),
                "--uid-snapshot",
                night.uidSnapshot()));
    input.addAll(configuration());
    List<String> plan = new ArrayList<>(List.of("tiers", "plan"));
    plan.addAll(input);
    plan.addAll(List.of("--rollup-snapshot", rollups));
    plan.addAll(List.of("--page", reports.tiersPlace(day, "html").hadoopUri()));
    List<String> prove = new ArrayList<>(List.of("tiers", "prove"));
    prove.addAll(input);
    if (job.options().has("--any-bucket")) {
      prove.add("--any-bucket");
    }
    prove.addAll(List.of("--against-snapshot", rollups));
    prove.addAll(List.of("--proofs", tiers.proofs().hadoopUri(), "--max-days", MAX_DAYS));
    prove.addAll(List.of("--coverage-table", Tiers.COVERAGE_TABLE));
    prove.addAll(List.of("--report", reports.tiersPlace(day, "json").hadoopUri()));
    return List.of(
        new JobRun("tiers plan " + day, sparkOptions, job.jar(), List.copyOf(plan)),
        new JobRun("tiers prove " + day, sparkOptions, job.jar(), List.copyOf(prove)));
  }

  /**
   * The comparison of the stored rollups of an earlier day with its raw data.
   *
   * @param night its snapshots of the rollup tables have the date of the others. Its UID snapshot
   *     is newer than the raw data, so it has their names, too
   * @param run the report of the earlier day's run, which names the snapshot of the raw data
   */
  public JobRun verify(Verify verify, WholeNight night, LocalDate day, JobReport run) {
    List<String> arguments =
        new ArrayList<>(
            new VerifyArguments(job.options(), verify.sample(), "")
                .list(
                    backup.root().hadoopUri(),
                    run.option("--data-snapshot"),
                    night.night().uidSnapshot(),
                    day));
    arguments.addAll(
        List.of("--against-snapshot", snapshots(verify.tables(), night.night(), night.day())));
    job.options()
        .values("--coverage-table")
        .forEach(table -> arguments.addAll(List.of("--coverage-table", table)));
    arguments.addAll(List.of("--report", reports.verifyPlace(day).hadoopUri()));
    return new JobRun("verify " + day, sparkOptions, job.jar(), List.copyOf(arguments));
  }

  /** The names of a night's snapshots of tables, with commas. */
  private String snapshots(List<String> tables, Night night, LocalDate day) {
    LocalDate date =
        backup
            .pattern()
            .date(backup.dataTable(), night.dataSnapshot())
            .orElseGet(() -> day.plusDays(backup.daysBefore()));
    return tables.stream()
        .map(table -> backup.pattern().name(table, date))
        .collect(Collectors.joining(","));
  }

  /** The files and keys of the TSD, as the runs have them. */
  private List<String> configuration() {
    return job.options().tsd();
  }

  /** With the TSD's present keys: the instance of a function outlives a change of the file. */
  private RunSettings settings() throws IOException {
    if (job.tsdConfig().isEmpty()) {
      return job.runs(backup, Optional.empty());
    }
    S3Location place = job.tsdConfig().get();
    Optional<StoredObject> found = store.get(place);
    if (found.isEmpty()) {
      throw new IOException("TSD_CONFIG " + place + " does not exist");
    }
    try (StoredObject file = found.get()) {
      return job.runs(
          backup, Optional.of(new String(file.bytes(MAX_CONFIG_BYTES), StandardCharsets.UTF_8)));
    } catch (SchemaException e) {
      throw new IOException("TSD_CONFIG " + place + ": " + e.getMessage(), e);
    }
  }
}
