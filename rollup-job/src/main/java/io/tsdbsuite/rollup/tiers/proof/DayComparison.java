package io.tsdbsuite.rollup.tiers.proof;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.input.AsOf;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.input.Tolerance;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.Count;
import io.tsdbsuite.rollup.report.FailureLimits;
import io.tsdbsuite.rollup.report.MetricRows;
import io.tsdbsuite.rollup.report.SkipReason;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.TiersOptions;
import io.tsdbsuite.rollup.tiers.proof.ProveReport.Day;
import io.tsdbsuite.rollup.tiers.proof.ProveReport.Outcome;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.verify.Aggregators;
import io.tsdbsuite.rollup.verify.RegionNames;
import io.tsdbsuite.rollup.verify.SeriesSample;
import io.tsdbsuite.rollup.verify.Verdict;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import io.tsdbsuite.rollup.verify.VerifyReport;
import io.tsdbsuite.rollup.verify.job.StoredTables;
import io.tsdbsuite.rollup.verify.job.VerifyJob;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Compares a day with its rollups by {@link VerifyJob}, never a sample. Writes its proof if all is
 * equal; otherwise removes a former one.
 */
final class DayComparison {
  private final JavaSparkContext spark;
  private final ProveOptions options;
  private final TiersOptions tiers;
  private final ProofStore store;
  private final CoverageRule coverage;
  private final Clock clock;

  DayComparison(
      JavaSparkContext spark,
      ProveOptions options,
      ProofStore store,
      CoverageRule coverage,
      Clock clock) {
    this.spark = spark;
    this.options = options;
    this.tiers = options.tiers();
    this.store = store;
    this.coverage = coverage;
    this.clock = clock;
  }

  /**
   * Loads the manifests of all rollup tables.
   *
   * @param facts receives facts about them
   */
  Map<String, Snapshot> load(Map<String, String> facts) {
    RollupOptions all =
        rollup(new Window(0, ProofDay.DAY), List.of(), intervals(options.intervals().all()), false);
    StoredTables stored = new StoredTables(all, verify(Policy.RAW, tiers.rollupSnapshots(), ""));
    stored.load(spark.hadoopConfiguration(), facts);
    return stored.snapshots();
  }

  /** Compares a day; its outcome is proven, refused or waiting. */
  Day compare(ProofDay day) {
    VerifyJob job = job(day);
    VerifyReport found = job.run();
    if (found.exitCode() != ExitCode.DONE && found.exitCode() != ExitCode.BAD_INPUT) {
      // The next day would fail likewise.
      String why = LocalDate.ofEpochDay(day.day()) + ": " + found.message();
      throw switch (found.exitCode()) {
        case USAGE -> JobException.usage(why);
        case OUTSIDE -> JobException.outside(why);
        default -> JobException.defect(why, null);
      };
    }
    Report report = found.report();
    String file = store.write(day.file(), report);
    String reason = found.exitCode() == ExitCode.DONE ? incomplete(found) : reason(found);
    if (!reason.isEmpty()) {
      return without(day, Outcome.REFUSED, reason, file);
    }
    String above = coverage.above(day, job.countedMetrics());
    if (!above.isEmpty()) {
      return without(day, Outcome.WAITING, above, "");
    }
    String uncovered = coverage.uncovered(day, job.countedMetrics());
    if (!uncovered.isEmpty()) {
      return without(day, Outcome.REFUSED, uncovered, file);
    }
    String hash = RegionNames.sha256(report.jsonText().getBytes(StandardCharsets.UTF_8));
    Proof proof = proof(day, found, hash);
    store.write(proof);
    return day.ended(Outcome.PROVEN, "", day.file(), proof);
  }

  /**
   * Ends a day that is not proven, and removes its former proof.
   *
   * @param report name of the report of its comparison; empty if there was none, or if it does not
   *     count: then it is removed, because a report without a proof tells of a refused day
   */
  Day without(ProofDay day, Outcome outcome, String reason, String report) {
    store.remove(day.file());
    if (report.isEmpty()) {
      store.remove(ProofStore.reportName(day.file()));
    }
    return day.ended(outcome, reason, report, null);
  }

  private static String reason(VerifyReport found) {
    StringBuilder reason = new StringBuilder(found.message());
    found
        .compared()
        .samples()
        .forEach(
            (verdict, samples) -> {
              if (verdict != Verdict.EQUAL && !samples.isEmpty()) {
                reason.append("; ").append(verdict.key()).append(": ").append(samples.get(0));
              }
            });
    return reason.toString();
  }

  /** Why equal rollups do not stand for all raw data; empty if they do. */
  static String incomplete(VerifyReport found) {
    if (!found.oddHistograms().isEmpty()) {
      return found.oddHistogramsText()
          + ". Only raw data have them: all days of these metrics from this one on stay. An entry"
          + " of their own, before this one, lets the others go";
    }
    long failed = found.raw().daysFailed();
    return failed == 0
        ? ""
        : failed
            + " days of series failed: they have no rollups above 1h, though some of their rows are"
            + " valid";
  }

  private VerifyJob job(ProofDay day) {
    Window window = new Window(day.day() * ProofDay.DAY, day.end() * ProofDay.DAY);
    List<RollupInterval> read = new ArrayList<>(options.wider(day.table()));
    List<String> snapshots = new ArrayList<>();
    Evidence of = day.evidence();
    of.rollups().values().forEach(source -> snapshots.add(source.snapshot()));
    if (!day.isRaw()) {
      read.add(Objects.requireNonNull(tiers.rollups().interval(day.table())));
      snapshots.add(of.data().snapshot());
    }
    List<String> metrics = day.entry().metrics();
    return new VerifyJob(
        spark,
        rollup(window, metrics, intervals(read), !day.isRaw()),
        verify(day.table(), snapshots, String.join(",", metrics)),
        clock);
  }

  private RollupIntervals intervals(List<RollupInterval> some) {
    return new RollupIntervals(some, tiers.rollups().suite(), tiers.codecs());
  }

  private Proof proof(ProofDay day, VerifyReport found, String hash) {
    Books raw = found.raw();
    MetricRows counted = raw.metricRows();
    MetricRows rows = counted == null ? new MetricRows() : counted;
    long read =
        raw.count(Count.ROWS_READ)
            - raw.skipped(SkipReason.OUTSIDE_WINDOW)
            - raw.skipped(SkipReason.EXCLUDED_METRIC)
            + Objects.requireNonNull(found.stored()).sourceRows();
    if (rows.rows() != read || !found.compared().isClean()) {
      throw Defects.openBooks();
    }
    SortedMap<String, Proof.Rows> ofMetrics = new TreeMap<>();
    rows.metrics()
        .forEach(
            (uid, may) ->
                ofMetrics.put(
                    HexFormat.of().formatHex(Uids.bytes(uid, tiers.schema().metricWidth())),
                    new Proof.Rows(
                        may.rows(), may.annotatedRows(), may.points(), may.histograms())));
    SortedMap<String, Long> kept = new TreeMap<>();
    for (MetricRows.Kept reason : MetricRows.Kept.values()) {
      if (rows.kept(reason) > 0) {
        kept.put(reason.key(), rows.kept(reason));
      }
    }
    Evidence of = day.evidence();
    return new Proof(
        of.suite().isEmpty() ? Proof.FORMAT : Proof.FORMAT_OF_SUITE,
        options.version(),
        day.entry(),
        of.cluster(),
        of.schema(),
        of.aggregatorIds(),
        of.suite(),
        of.anyBucket(),
        of.table(),
        day.from(),
        day.to(),
        ofMetrics,
        kept,
        of.data(),
        of.rollups(),
        new Proof.Verified(
            hash, found.compared().compared(), found.compared().count(Verdict.EQUAL)),
        Proof.Series.NONE,
        clock.instant());
  }

  /**
   * What rollups are made of.
   *
   * @param expired whether raw data of the window may have expired
   */
  private RollupOptions rollup(
      Window window, List<String> metrics, RollupIntervals intervals, boolean expired) {
    return new RollupOptions(
        tiers.root(),
        tiers.dataSnapshot(),
        UidSettings.ofSnapshot(tiers.uidSnapshot()),
        tiers.schema(),
        intervals,
        window,
        HoldBack.of(HoldBack.DEFAULT, clock),
        MetricPatterns.of(metrics),
        options.partitionBytes(),
        new Tolerance(new FailureLimits(options.maxFailedRows(), 0), expired, false, true),
        null,
        AsOf.SNAPSHOT,
        options.anyBucket());
  }

  /** The rollups to compare with them. */
  private VerifyOptions verify(String table, List<String> snapshots, String metrics) {
    return new VerifyOptions(
        tiers.root(),
        snapshots,
        null,
        1,
        new SeriesSample(1, 1, 0),
        Aggregators.of(tiers.rollups(), tiers.codecs()),
        metrics,
        // What is gone of the compared intervals must refuse the day.
        coverage.floors().stream().filter(floor -> floor.level().equals(table)).toList(),
        table);
  }
}
