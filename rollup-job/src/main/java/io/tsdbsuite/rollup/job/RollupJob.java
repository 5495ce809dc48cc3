package io.tsdbsuite.rollup.job;

import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.changed.ChangedRowsSearch;
import io.tsdbsuite.rollup.compute.PartitionTask;
import io.tsdbsuite.rollup.coverage.CoverageHBase;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.hfile.HFileSinkFactory;
import io.tsdbsuite.rollup.input.ChangedSince;
import io.tsdbsuite.rollup.input.CompleteInput;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.input.RunInput;
import io.tsdbsuite.rollup.input.RunProofs;
import io.tsdbsuite.rollup.plan.DelaySla;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.job.RegionJob;
import io.tsdbsuite.rollup.rate.JobRateLimit;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.BooksText;
import io.tsdbsuite.rollup.report.Count;
import io.tsdbsuite.rollup.report.EarlierRuns;
import io.tsdbsuite.rollup.report.FinishedPartitions;
import io.tsdbsuite.rollup.report.Phases;
import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.sink.SinkFactory;
import io.tsdbsuite.rollup.spark.Broadcasts;
import io.tsdbsuite.rollup.spark.SparkFailures;
import io.tsdbsuite.rollup.spark.WorkFailures;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.uid.UidSetup;
import io.tsdbsuite.rollup.uid.UidSnapshot;
import io.tsdbsuite.rollup.uid.UidSource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rolls up a time window of a snapshot of OpenTSDB's data table. Reads the HFiles in place, writes
 * nothing below the snapshot's root, and balances its books.
 *
 * <ol>
 *   <li>Reads the manifests of the snapshots, checks the sink, makes the names of UIDs available,
 *       and reads the floors of raw data.
 *   <li>Plans: partitions of the window's HFiles, and of the rows before it that have changed. A
 *       resumed run requires the plan of the earlier run and leaves out what that has finished.
 *   <li>Rolls up the partitions in tasks. Each finished one enters its books into those of the run
 *       and is in the next report, which is rewritten meanwhile.
 *   <li>Requires that the books close, that a table with data gave rollups, and that none is known
 *       to be wrong. Then it proves the window as far as it can, and commits the sink.
 * </ol>
 *
 * If a step fails, or the run is refused, the sink is aborted and the report has the reason.
 */
public final class RollupJob {
  private static final Logger LOG = LoggerFactory.getLogger(RollupJob.class);

  /**
   * The coverage table with the floors of the data table.
   *
   * @param required whether the table must exist
   */
  public record FloorSource(CoverageHBase hbase, boolean required) {}

  /** Minimum pause between two writes of the report during a run. */
  private static final Duration REPORT_REST = Duration.ofSeconds(2);

  private final JavaSparkContext spark;
  private final RollupOptions options;
  private final SinkFactory sinks;
  private final RunHistory history;
  private final @Nullable FloorSource floorSource;
  private final Clock clock;
  private final Phases phases = new Phases();
  private final RunInput input;
  private final List<String> warnings = new ArrayList<>();
  private final Instant started;
  private final Books books = new Books();
  private final ReportKeeper keeper;
  private @Nullable RollupPlan plan;
  private @Nullable RunProof proof;
  private boolean foundEarlier;

  /** Start of the first hour or day before the window that is rolled up again. */
  private long firstChanged = Long.MAX_VALUE;

  /**
   * @param sinks receive the rollups
   * @param history results of an earlier run, and the destination of this run's results
   * @param floorSource tells below which floors rows are left out; null if nothing does
   * @param clock for the report
   */
  public RollupJob(
      JavaSparkContext spark,
      RollupOptions options,
      SinkFactory sinks,
      RunHistory history,
      @Nullable FloorSource floorSource,
      Clock clock) {
    this.spark = spark;
    this.options = options;
    this.sinks = sinks;
    this.history = history;
    this.floorSource = floorSource;
    this.clock = clock;
    this.started = clock.instant();
    this.keeper =
        new ReportKeeper(
            this::running, report -> history.file().accept(report), REPORT_REST, System::nanoTime);
    this.input = new RunInput(hadoop(), options);
  }

  /**
   * Runs the job.
   *
   * @return the report, also when the job failed; its exit code gives the outcome
   * @throws JobException usage, when the run does not match the earlier run that it should resume;
   *     then there is no new report, and the earlier report must not be overwritten
   */
  public RollupReport run() {
    try {
      rollUp();
    } catch (Throwable e) {
      // Spark's checked exceptions, which Scala does not declare, and errors, too.
      JobException failure = SparkFailures.of(spark, e);
      sinks.abort();
      if (history.isRefused()) {
        throw failure;
      }
      if (failure.exitCode() == ExitCode.DEFECT) {
        LOG.error("the run ends because of a defect", failure);
      }
      return report(failure.exitCode(), failure.getMessage(), books, history.finished());
    }
    return report(ExitCode.DONE, "", books, history.finished());
  }

  /** Creates the report of a run in progress. */
  private RollupReport running() {
    FinishedPartitions finished = history.finished().copy();
    return report(null, "", finished.books(), finished);
  }

  private RollupReport report(
      @Nullable ExitCode exit, String message, Books current, FinishedPartitions finished) {
    return new RollupReport(
        exit,
        message,
        started,
        clock.instant(),
        new LinkedHashMap<>(input.facts()),
        exit == ExitCode.DONE ? sinks.output() : Map.of(),
        options.intervals().text(),
        Instant.ofEpochSecond(options.from()),
        Instant.ofEpochSecond(options.to()),
        input.holdBack(),
        plan,
        current,
        sinks.rollupsPerMessage(),
        phases.seconds(),
        List.copyOf(warnings),
        history.identity(),
        sinks.keepsFinished() ? finished : null,
        history.earlier(),
        exit == ExitCode.DONE ? proof : null,
        exit == ExitCode.DONE ? input.dataFiles() : List.of());
  }

  private void rollUp() {
    books.add(history.booksBefore());
    Snapshot data = phases.time("manifests", input::load);
    UidSetup uids = new UidSetup(options.uids(), options.schema(), hadoop());
    sayAsOf(data);
    Optional<UidSnapshot> uidSnapshot = phases.time("manifests", input::loadUids);
    history.snapshots(input.times());
    CompleteInput.warn(data, options, warnings);
    phases.run("sink check", this::checkSink);
    UidNames loaded = phases.time("UIDs", () -> uids.load(uidSnapshot, data, warnings));
    try {
      RawFloors floors =
          floorSource == null ? RawFloors.UNKNOWN : phases.time("floors", () -> read(floorSource));
      recordTarget(floors);
      UidNames names = floors.isEmpty() ? loaded : phases.time("UIDs", () -> ofMetrics(loaded));
      RollupPlan ofWindow =
          phases.time("plan", () -> input.plan(data, new RegionJob(spark, data)::plan));
      plan = ofWindow;
      RollupPlan whole =
          options.changedSince() == null
              ? ofWindow
              : phases.time(
                  "search for changed rows", () -> withChangedRows(ofWindow, data, names, floors));
      plan = whole;
      List<RollupPartition> left = history.left(whole);
      if (options.limits().areExceededBy(books)) {
        throw tooManyFailed(true);
      }
      TaskCollector results =
          new TaskCollector(spark, options.limits().less(books), result -> finished(whole, result));
      phases.run("roll up", () -> rollUp(data, names, floors, left, results));
      if (results.isStopped() || options.limits().areExceededBy(books)) {
        throw tooManyFailed(results.isStopped());
      }
      if (!books.close()) {
        throw Defects.openBooks();
      }
      long handedOver = books.intervalsEmitted() + books.count(Count.ROLLUPS_TAKEN_BACK);
      Optional<String> refused =
          CompleteInput.nothingMade(options, data, books, handedOver, "emitted")
              .or(() -> BooksText.wrongRollups(books, allowsLost()));
      if (refused.isPresent()) {
        throw JobException.badInput(refused.get());
      }
      RunProof proven =
          RunProofs.of(options, data, books, foundEarlier)
              .above(floors, Instant.ofEpochSecond(Math.min(options.from(), firstChanged)));
      proof = proven;
      sinks.proof(proven);
      phases.run("commit", () -> commit(results));
      warnings.addAll(BooksText.warnings(books));
      input.delaySla(Duration.between(started, clock.instant())).stream()
          .filter(DelaySla::leavesHoles)
          .map(DelaySla::warning)
          .forEach(warnings::add);
    } finally {
      loaded.close();
    }
  }

  private RawFloors read(FloorSource source) {
    RawFloors floors = source.hbase().floors(hadoop(), source.required(), clock.millis());
    input.facts().put("coverageTable", source.hbase().table());
    input.facts().put("rawFloors", floors.isEmpty() ? "none" : floors.toString());
    return floors;
  }

  /** Floors are of names, also where rollups need none. */
  private UidNames ofMetrics(UidNames loaded) {
    return floorSource == null || options.uids().source() != UidSource.NONE
        ? loaded
        : floorSource.hbase().metrics(hadoop());
  }

  private void finished(RollupPlan whole, TaskResult result) {
    history.finished().add(whole.partitions().get(result.partition()), result.books());
    keeper.changed();
  }

  private JobException tooManyFailed(boolean stopped) {
    return JobException.badInput(BooksText.tooManyFailed(books, options.limits(), stopped));
  }

  private boolean allowsLost() {
    ChangedSince since = options.changedSince();
    return since != null && since.allowLost();
  }

  private RollupPlan withChangedRows(
      RollupPlan ofWindow, Snapshot data, UidNames names, RawFloors floors) {
    ChangedRowsSearch search = new ChangedRowsSearch(spark, options, data, floors);
    RollupPlan both = search.extend(ofWindow, names);
    foundEarlier = search.hasFoundEarlier();
    firstChanged = search.first();
    books.add(search.books());
    input.facts().putAll(search.findings());
    warnings.addAll(search.warnings());
    return both;
  }

  /** Sets the timestamp of the rollups; a resumed run uses the timestamp of the first run. */
  private void sayAsOf(Snapshot data) {
    EarlierRuns earlier = history.earlier();
    Instant first = earlier == null ? started : earlier.started();
    long asOf = options.asOf().time(data, first).toEpochMilli();
    input.facts().put("asOf", Instant.ofEpochMilli(asOf).toString());
    sinks.asOf(asOf);
  }

  private Configuration hadoop() {
    return spark.hadoopConfiguration();
  }

  private void recordTarget(RawFloors floors) {
    Map<String, String> target = new LinkedHashMap<>(sinks.identity());
    RawFloors ofWindow = floors.after(options.from(), options.metrics());
    if (!ofWindow.isEmpty() && options.from() < options.to()) {
      // Finished partitions have left out what begins below them.
      target.put("the floors of raw data in the window", ofWindow.toString());
      warnings.add(
          "the window begins below floors of raw data: rows of %s may be gone, what is left of"
                  .formatted(ofWindow)
              + " them is not rolled up, and their stored rollups stay as they are");
    }
    history.target(target);
  }

  private void checkSink() {
    try {
      sinks.check();
      warnings.addAll(sinks.warnings());
    } catch (SinkException e) {
      throw WorkFailures.of(e);
    }
  }

  private void commit(TaskCollector results) {
    try {
      sinks.commit(results.sinkResults(), history.identity());
    } catch (SinkException e) {
      throw WorkFailures.of(e);
    }
  }

  /** Reads the remaining partitions and updates the report meanwhile. */
  private void rollUp(
      Snapshot data,
      UidNames names,
      RawFloors floors,
      List<RollupPartition> left,
      TaskCollector results) {
    try (ReportKeeper reports = keeper) {
      reports.start();
      if (!left.isEmpty()) {
        run(data, names, floors, left, results);
      }
    } finally {
      books.add(results.books());
    }
    keeper
        .failure()
        .ifPresent(cause -> warnings.add("the report could not be kept up to date: " + cause));
  }

  private void run(
      Snapshot data,
      UidNames names,
      RawFloors floors,
      List<RollupPartition> left,
      TaskCollector results) {
    try (Broadcasts shared = Broadcasts.of(spark, names, data);
        JobRateLimit limit = new JobRateLimit(sinks.messagesPerSecond())) {
      PartitionTask work =
          new PartitionTask(
              spark,
              options,
              data,
              shared,
              floors,
              options.limits().less(books),
              sinks.wantsNames(),
              sinks.takesBack());
      RollupTask task = new RollupTask(work, sinks.limitedBy(limit.leases()));
      if (sinks instanceof HFileSinkFactory hfiles) {
        results.run(left.size(), new ShuffledRollup(spark, hfiles, left, task, shared));
      } else {
        results.run(left, task);
      }
    }
  }
}
