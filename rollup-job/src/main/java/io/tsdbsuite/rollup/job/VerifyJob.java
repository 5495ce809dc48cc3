package io.tsdbsuite.rollup.job;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.snapshot.Snapshot;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.verify.StoredBooks;
import io.tsdbsuite.rollup.verify.Verdict;
import io.tsdbsuite.rollup.verify.VerifyBooks;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import io.tsdbsuite.rollup.verify.VerifyReport;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Rolls up a time window of a snapshot of OpenTSDB's data table again, and compares the rollups
 * with those that are stored. Writes nothing.
 */
public final class VerifyJob {
  private final JavaSparkContext spark;
  private final RollupOptions options;
  private final VerifyOptions verify;
  private final Clock clock;
  private final Instant started;
  private final Phases phases = new Phases(System::nanoTime);
  private final RunInput input;
  private final List<String> warnings = new ArrayList<>();
  private final VerifyBooks compared = new VerifyBooks();
  private final Books raw = new Books();
  private final StoredBooks stored = new StoredBooks();

  /**
   * @param options what to roll up again
   * @param verify where the stored rollups are
   * @param clock for the report
   */
  public VerifyJob(
      JavaSparkContext spark, RollupOptions options, VerifyOptions verify, Clock clock) {
    this.spark = spark;
    this.options = options;
    this.verify = verify;
    this.clock = clock;
    this.started = clock.instant();
    this.input = new RunInput(spark.hadoopConfiguration(), options);
  }

  /** Runs the comparison; the report is there also when it failed. */
  public VerifyReport run() {
    ExitCode exit;
    String message;
    try {
      verify();
      message = finding();
      exit = message.isEmpty() ? ExitCode.DONE : ExitCode.BAD_INPUT;
    } catch (RollupException e) {
      exit = e.exitCode();
      message = e.getMessage();
    }
    return new VerifyReport(
        exit,
        message,
        started,
        clock.instant(),
        input.facts(),
        options.intervals().all().stream().map(RollupInterval::interval).toList(),
        Instant.ofEpochSecond(options.from()),
        Instant.ofEpochSecond(options.to()),
        verify.sample(),
        compared,
        raw,
        verify.tsd() == null ? stored : null,
        phases.seconds(),
        warnings);
  }

  /** Why the rollups must not be trusted; empty when they may be. */
  private String finding() {
    List<String> findings = new ArrayList<>();
    if (!compared.isClean()) {
      findings.add(
          "of "
              + compared.compared()
              + " rollups "
              + compared.count(Verdict.MISSING)
              + " are missing, "
              + compared.count(Verdict.EXTRA)
              + " are extra, "
              + compared.count(Verdict.DIFFERENT)
              + " are different");
    }
    if (stored.malformed() > 0) {
      findings.add(
          stored.malformed() + " rows, cells or blocks of rollup tables cannot be compared");
    }
    if (raw.failures() > options.maxFailedRows()) {
      findings.add(
          raw.failures()
              + " rows of the raw data failed where "
              + options.maxFailedRows()
              + " are allowed (--max-failed-rows)");
    }
    if (!compared.close() || !raw.close()) {
      findings.add("the books do not close: something was lost or counted twice; this is a defect");
    }
    return String.join("; ", findings);
  }

  private void verify() {
    Snapshot data = phases.time("manifests", input::load);
    StoredTables tables = new StoredTables(options, verify);
    phases.time(
        "manifests",
        () -> {
          tables.load(spark.hadoopConfiguration(), input.facts());
          return null;
        });
    UidSetup uids = new UidSetup(options, spark.hadoopConfiguration());
    RunSnapshots snapshots = new RunSnapshots(data, phases.time("manifests", uids::snapshot));
    snapshots.warnIfIncomplete(options.to(), warnings);
    warnIfExpired(data);
    UidNames names = phases.time("UIDs", () -> uids.load(snapshots, warnings));
    try {
      RollupPlan plan = phases.time("plan", () -> input.plan(data));
      List<StoredTask.Part> parts = phases.time("plan", tables::parts);
      SideShuffle shuffle = new SideShuffle(spark, options, verify);
      add(
          phases.time("compare", () -> shuffle.compare(data, names, plan, parts)),
          plan.partitions().size() + parts.size());
    } finally {
      names.close();
    }
  }

  private void warnIfExpired(Snapshot data) {
    long ttl = data.family().getTimeToLive();
    if (ttl != HConstants.FOREVER && options.from() < started.getEpochSecond() - ttl) {
      warnings.add(
          "the window begins before "
              + started.minusSeconds(ttl)
              + ", where the table's TTL may have taken raw points: what is stored of them is extra"
              + " or different");
    }
  }

  private void add(List<CompareTask.Result> results, int expected) {
    int tasks = 0;
    for (CompareTask.Result result : results) {
      compared.add(result.compared());
      raw.add(result.raw());
      stored.add(result.stored());
      tasks += result.tasks();
    }
    if (tasks != expected) {
      throw RollupException.outside(
          "Spark ended with the books of " + tasks + " of " + expected + " tasks", null);
    }
  }
}
