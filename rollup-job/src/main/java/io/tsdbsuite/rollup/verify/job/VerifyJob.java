package io.tsdbsuite.rollup.verify.job;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.input.CompleteInput;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.input.RunInput;
import io.tsdbsuite.rollup.input.RunProofs;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.job.RegionJob;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.BooksText;
import io.tsdbsuite.rollup.report.Count;
import io.tsdbsuite.rollup.report.MetricRows;
import io.tsdbsuite.rollup.report.Phases;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.spark.SparkFailures;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.uid.UidSetup;
import io.tsdbsuite.rollup.uid.UidSnapshot;
import io.tsdbsuite.rollup.verify.SeriesSample;
import io.tsdbsuite.rollup.verify.StoredBooks;
import io.tsdbsuite.rollup.verify.VerifyBooks;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import io.tsdbsuite.rollup.verify.VerifyReport;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.api.java.JavaSparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rolls up a time window of a snapshot of OpenTSDB's data table again and compares the result with
 * the stored rollups. Writes nothing.
 *
 * <ol>
 *   <li>Reads the manifests, plans the partitions of the raw data and, without a TSD, the parts of
 *       the rollup tables.
 *   <li>Tasks make records of both sides ({@link ComputedTask}, {@link StoredTask}). Spark's
 *       shuffle sorts them by series, interval and time, and other tasks compare neighbours ({@link
 *       CompareTask}), or ask the TSD series by series.
 *   <li>If a sample had too few series, repeats this with a larger one.
 *   <li>Requires that the books of all tasks arrived and close, and says which rollups are missing,
 *       extra or different, and why equal ones would prove nothing.
 * </ol>
 */
public final class VerifyJob {
  private static final Logger LOG = LoggerFactory.getLogger(VerifyJob.class);

  private final JavaSparkContext spark;
  private final RollupOptions options;
  private VerifyOptions verify;
  private final Clock clock;
  private final Instant started;
  private final Phases phases = new Phases();
  private final RunInput input;
  private final List<String> warnings = new ArrayList<>();
  private VerifyBooks compared = new VerifyBooks();
  private Books raw = new Books();
  private StoredBooks stored = new StoredBooks();
  private final SortedSet<String> countedMetrics = new TreeSet<>();
  private final SortedMap<String, RunProof.OddMetric> oddHistograms = new TreeMap<>();
  private List<String> gaps = List.of("the comparison did not come to its end");

  /**
   * @param options the window and the snapshots to roll up again
   * @param verify location of the stored rollups
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
    input.facts().put("metrics", verify.metrics());
    if (!verify.aggregators().suite().isEmpty()) {
      input.facts().put("suite", verify.aggregators().suite().text());
    }
  }

  /** Runs the comparison; returns a report also when it failed. */
  public VerifyReport run() {
    try {
      Snapshot data = verify();
      Optional<String> finding = finding(data);
      gaps = gaps(data);
      return report(finding.isPresent() ? ExitCode.BAD_INPUT : ExitCode.DONE, finding.orElse(""));
    } catch (Throwable e) {
      // Spark's checked exceptions, which Scala does not declare, and errors, too.
      JobException failure = SparkFailures.of(spark, e);
      if (failure.exitCode() == ExitCode.DEFECT) {
        LOG.error("the comparison ends because of a defect", failure);
      }
      return report(failure.exitCode(), failure.getMessage());
    }
  }

  /**
   * The names of the metrics whose rows were counted by metric and may go; only after {@link #run}.
   */
  public SortedSet<String> countedMetrics() {
    return countedMetrics;
  }

  private VerifyReport report(ExitCode exitCode, String message) {
    return new VerifyReport(
        exitCode,
        message,
        started,
        clock.instant(),
        input.facts(),
        options.intervals().all().stream()
            .map(RollupInterval::interval)
            .filter(interval -> !interval.equals(verify.source()))
            .toList(),
        verify.levels(options.intervals()).stream()
            .filter(each -> Level.isHistogram(each) || Level.isPacked(each))
            .toList(),
        Instant.ofEpochSecond(options.from()),
        Instant.ofEpochSecond(options.to()),
        verify.sample(),
        compared,
        raw,
        oddHistograms,
        verify.tsd() == null ? stored : null,
        gaps,
        phases.seconds(),
        warnings);
  }

  /**
   * Plans the comparison from manifests and indexes, and compares nothing. Call it or {@link #run}.
   *
   * @return the text for {@code --dry-run}
   * @throws JobException usage or bad input, when the snapshots do not fit
   */
  public String plan() {
    try {
      Snapshot data = input.load();
      StoredTables tables = new StoredTables(options, verify);
      tables.load(spark.hadoopConfiguration(), input.facts());
      Optional<UidSnapshot> unused = input.loadUids();
      CompleteInput.warn(data, options, warnings);
      RollupPlan plan = input.plan(data, new RegionJob(spark, data)::plan);
      DryRun text = new DryRun();
      input.facts().forEach((name, value) -> text.line(name, value));
      text.line("regions", plan.regionsInWindow(), "of the raw data in the window");
      text.line("HFiles", plan.filesInWindow(), "of the raw data in the window");
      text.line("bytes", plan.windowBytes(), "of the raw data in the window");
      text.line("partitions", plan.partitions().size(), "of the raw data");
      text.line("", tables.parts(verify.sample()).size(), "of the rollup tables");
      warnings.forEach(warning -> text.line("warning", warning));
      return text.end("no data was read or compared, nothing was written");
    } catch (RuntimeException e) {
      throw SparkFailures.of(spark, e);
    }
  }

  /** Why the comparison proves no coverage, beside the differences that it found. */
  private List<String> gaps(Snapshot data) {
    List<String> found = new ArrayList<>(RunProofs.of(options, data, raw, false).gaps());
    for (Count odd : List.of(Count.POINTS_NOT_A_NUMBER, Count.AMBIGUOUS_DUPLICATES)) {
      // A run can leave out the metrics of such points; a report proves all or nothing.
      if (raw.count(odd) > 0 && found.isEmpty()) {
        found.add(raw.count(odd) + " points are NaN, or have several values without an order");
      }
    }
    if (verify.tsd() != null
        && options.intervals().all().stream()
            .anyMatch(each -> verify.aggregators().suite().histogram(each.interval()))) {
      found.add("the histograms of suite.histograms were not compared (--against-tsd)");
    }
    if (verify.tsd() != null && !verify.packed(options.intervals()).isEmpty()) {
      found.add("the packed rollups of suite.packed were not compared (--against-tsd)");
    }
    if (verify.source() != null) {
      found.add("rollups were compared with those of " + verify.source() + ", not with raw data");
    }
    if (verify.tsd() != null) {
      found.add("a TSD does not tell of rollups that the raw data lack (--against-tsd)");
    }
    if (verify.sample().fraction() < 1) {
      found.add("a sample of " + verify.sample().fraction() + " of the series was compared");
    }
    if (options.tolerance().skipFlush()) {
      found.add("snapshots taken with SKIP_FLUSH were allowed (--allow-skip-flush)");
    }
    if (compared.compared() + compared.countBelowFloor() == 0) {
      found.add("nothing was compared (--allow-empty)");
    }
    return found;
  }

  /** Explains why the comparison failed; empty when it passed. */
  private Optional<String> finding(Snapshot data) {
    if (!compared.close() || !raw.close()) {
      throw Defects.openBooks();
    }
    List<String> findings = new ArrayList<>();
    if (!compared.isClean()) {
      findings.add(compared.differences());
    }
    if (stored.malformed() > 0) {
      findings.add(stored.malformedText());
    }
    BooksText.exceeded(raw, options.limits())
        .forEach(limit -> findings.add("of the raw data " + limit));
    BooksText.wrongRollups(raw, true).ifPresent(findings::add);
    String verb = "compared in a sample of " + verify.sample().fraction() + " of the series";
    CompleteInput.nothingMade(
            options, data, raw, compared.compared() + compared.countBelowFloor(), verb)
        .ifPresent(findings::add);
    return findings.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", findings));
  }

  private Snapshot verify() {
    Snapshot data = phases.time("manifests", input::load);
    StoredTables tables = new StoredTables(options, verify);
    phases.run("manifests", () -> tables.load(spark.hadoopConfiguration(), input.facts()));
    UidSetup uids = new UidSetup(options.uids(), options.schema(), spark.hadoopConfiguration());
    Optional<UidSnapshot> uidSnapshot = phases.time("manifests", input::loadUids);
    if (verify.source() == null) {
      CompleteInput.warn(data, options, warnings);
    }
    UidNames names = phases.time("UIDs", () -> uids.load(uidSnapshot, data, warnings));
    try {
      RollupPlan plan =
          verify.source() == null
              ? phases.time("plan", () -> input.plan(data, new RegionJob(spark, data)::plan))
              : new RollupPlan(data.regions().size(), 0, 0, 0, 0, 0, 0, List.of());
      Optional<SeriesSample> next = Optional.of(verify.sample());
      while (next.isPresent()) {
        verify = verify.with(next.get());
        compare(data, names, plan, tables);
        next = verify.sample().larger(compared.seriesCompared());
        if (next.isPresent()) {
          LOG.info(
              "a sample of {} had {} series: comparing a sample of {}",
              verify.sample().fraction(),
              compared.seriesCompared(),
              next.get().fraction());
        }
      }
      ByteSlice name = new ByteSlice();
      for (RunProof.OddMetric odd : raw.oddHistograms()) {
        // Metrics are selected by name, so each has one.
        if (names.lookup(UidKind.METRIC, odd.uid(), name)) {
          oddHistograms.put(name.toString(), odd);
        }
      }
      MetricRows rows = raw.metricRows();
      if (rows != null) {
        for (long uid : rows.metrics().keySet()) {
          if (names.lookup(UidKind.METRIC, uid, name)) {
            countedMetrics.add(name.toString());
          }
        }
      }
      return data;
    } finally {
      names.close();
    }
  }

  /** Compares the sample; the books are new ones. */
  private void compare(Snapshot data, UidNames names, RollupPlan plan, StoredTables tables) {
    compared = new VerifyBooks();
    raw = new Books();
    stored = new StoredBooks();
    List<StoredTask.Part> parts = phases.time("plan", () -> tables.parts(verify.sample()));
    double rollups =
        verify.source() == null
            ? plan.estimatedRows() * options.intervals().perRow()
            : tables.sourceRows() * madeOfRow();
    VerifyShuffle shuffle = new VerifyShuffle(spark, options, verify);
    add(
        phases.time("compare", () -> shuffle.compare(data, names, plan, parts, rollups)),
        plan.partitions().size() + parts.size());
  }

  /** Number of rollups that are made of one row of the source, which the window is the span of. */
  private double madeOfRow() {
    return options.intervals().all().stream()
        .skip(1)
        .mapToDouble(wider -> (double) (options.to() - options.from()) / wider.seconds())
        .sum();
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
      throw JobException.defect(
          "the books do not close: Spark ended with those of %s of %s tasks"
              .formatted(tasks, expected),
          null);
    }
  }
}
