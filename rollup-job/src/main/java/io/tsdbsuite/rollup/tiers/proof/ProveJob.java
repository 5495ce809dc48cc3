package io.tsdbsuite.rollup.tiers.proof;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.spark.SparkFailures;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.PolicyReader;
import io.tsdbsuite.rollup.tiers.TiersOptions;
import io.tsdbsuite.rollup.tiers.TiersPlan;
import io.tsdbsuite.rollup.tiers.TiersPlanJob;
import io.tsdbsuite.rollup.tiers.proof.ProveReport.Day;
import io.tsdbsuite.rollup.tiers.proof.ProveReport.Outcome;
import io.tsdbsuite.rollup.uid.UidSnapshot;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves that the rollups of days whose raw data may go equal these; and of rows of rollup tables
 * that may go, that the wider rollups equal them.
 *
 * <ol>
 *   <li>Reads the manifests; refuses tables and snapshots by {@link SnapshotRules}.
 *   <li>Finds the days by the indexes of the tables ({@link DaySearch}), and those that have a
 *       proof of these snapshots.
 *   <li>Compares each other day ({@link DayComparison}), in the order of the search.
 * </ol>
 */
public final class ProveJob {
  private static final Logger LOG = LoggerFactory.getLogger(ProveJob.class);
  private static final Comparator<Day> ORDER =
      Comparator.comparingInt(Day::day).thenComparingInt(Day::entry).thenComparing(Day::table);

  private final JavaSparkContext spark;
  private final ProveOptions options;
  private final TiersOptions tiers;
  private final ProofStore store;
  private final CoverageRule coverage;
  private final DayComparison comparison;
  private final Clock clock;
  private final Instant started;
  private final Map<String, String> facts = new LinkedHashMap<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<Day> days = new ArrayList<>();

  /** The days to compare, in this order. */
  private final List<ProofDay> left = new ArrayList<>();

  private long planned;

  /**
   * @param store of the proofs
   * @param coverage for its floors, and to prove rollup tables; null if it is not known
   * @param clock the present
   */
  public ProveJob(
      JavaSparkContext spark,
      ProveOptions options,
      ProofStore store,
      @Nullable Coverage coverage,
      Clock clock) {
    this.spark = spark;
    this.options = options;
    this.tiers = options.tiers();
    this.store = store;
    this.coverage = new CoverageRule(options, coverage);
    this.comparison = new DayComparison(spark, options, store, this.coverage, clock);
    this.clock = clock;
    this.started = clock.instant();
  }

  /** Proves; returns a report also when it failed. */
  public ProveReport run() {
    try {
      prove();
      long refused = days.stream().filter(day -> day.outcome() == Outcome.REFUSED).count();
      return refused == 0
          ? report(ExitCode.DONE, "")
          : report(
              ExitCode.BAD_INPUT,
              "%s of %s days of entries are refused".formatted(refused, days.size()));
    } catch (Throwable e) {
      // Spark's checked exceptions, which Scala does not declare, and errors, too.
      JobException failure = SparkFailures.of(spark, e);
      if (failure.exitCode() == ExitCode.DEFECT) {
        LOG.error("the run ends because of a defect", failure);
      }
      return report(failure.exitCode(), failure.getMessage());
    }
  }

  private ProveReport report(ExitCode exitCode, String message) {
    List<Day> all = new ArrayList<>(days);
    left.forEach(day -> all.add(day.ended(Outcome.NOT_REACHED, "", "", null)));
    all.sort(ORDER);
    ProveReport report =
        new ProveReport(exitCode, message, started, clock.instant(), facts, planned, all, warnings);
    return report.booksClose() || exitCode == ExitCode.DEFECT
        ? report
        : report(ExitCode.DEFECT, Defects.openBooks().getMessage());
  }

  private void prove() {
    if (!tiers.policy().limits(Policy.RAW)) {
      throw JobException.usage("--policy must have an entry with raw, found none");
    }
    facts.put("snapshotRoot", tiers.root());
    facts.put("policy", tiers.policy().sha256());
    Map<String, Snapshot> rollups = comparison.load(facts);
    List<String> tables = tables(rollups);
    TiersPlan plan =
        new TiersPlanJob(spark.hadoopConfiguration(), tiers, clock.instant()).of(tables);
    warnings.addAll(plan.warnings());
    Snapshot data = plan.data();
    SnapshotLoader loader = new SnapshotLoader(spark.hadoopConfiguration(), tiers.root());
    Snapshot uids = UidSnapshot.load(loader, tiers.uidSnapshot()).names();
    facts.put("dataSnapshot", data.name());
    facts.put("dataSnapshotTime", Instant.ofEpochMilli(data.creationTime()).toString());
    facts.put("uidSnapshot", uids.name());
    require(data, uids, rollups);
    List<Evidence> evidence =
        tables.stream().map(table -> Evidence.of(table, options, data, rollups)).toList();
    List<Day> proven = new ArrayList<>();
    left.addAll(new DaySearch(options, store, coverage, plan).find(evidence, proven));
    days.addAll(proven);
    planned = (long) days.size() + left.size();
    compare();
  }

  /** Refuses what no proof can make safe, all at once. */
  private void require(Snapshot data, Snapshot uids, Map<String, Snapshot> rollups) {
    SnapshotRules rules = new SnapshotRules(tiers.policy(), data, started);
    rules.markable(data);
    rules.keeps(data, Policy.RAW);
    rollups.forEach((level, each) -> rules.keeps(each, level));
    rules.recent(data);
    rules.recent(uids);
    rollups.values().forEach(rules::recent);
    rules.require();
  }

  private void compare() {
    // Each table has --max-days of its own: those of one must not hold back another for ever.
    Map<String, Set<Integer>> compared = new HashMap<>();
    for (ProofDay day : List.copyOf(left)) {
      Set<Integer> ofTable = compared.computeIfAbsent(day.table(), table -> new HashSet<>());
      if (ofTable.contains(day.day()) || ofTable.size() < options.maxDays()) {
        String above = coverage.above(day);
        if (above.isEmpty()) {
          ofTable.add(day.day());
          days.add(comparison.compare(day));
        } else {
          days.add(comparison.without(day, Outcome.WAITING, above, ""));
        }
        left.remove(day);
      }
    }
  }

  /**
   * The tables to prove, raw first, then the narrowest: if a rollup table fails, raw data are
   * proven nevertheless.
   */
  private List<String> tables(Map<String, Snapshot> snapshots) {
    String only = options.table();
    List<String> tables = new ArrayList<>();
    if (only == null || only.equals(Policy.RAW)) {
      tables.add(Policy.RAW);
    }
    for (RollupInterval interval : options.intervals().all()) {
      String table = interval.interval();
      if (tiers.policy().limits(table) && (only == null || only.equals(table))) {
        String problem = problem(interval, Objects.requireNonNull(snapshots.get(table)));
        if (problem.isEmpty()) {
          tables.add(table);
        } else if (only != null) {
          throw JobException.usage("--table " + problem);
        } else {
          warnings.add(problem);
        }
      }
    }
    return tables;
  }

  /** Why nothing of a rollup table can be proven; empty if it can. */
  private String problem(RollupInterval interval, Snapshot snapshot) {
    String table = interval.interval();
    if (!coverage.isKnown()) {
      return table
          + " must have --coverage-table to be proven: its rows go only below the floor of what"
          + " they were made of";
    }
    String never = PolicyReader.unprovable(interval, options.intervals().all());
    if (!never.isEmpty()) {
      return never;
    }
    List<String> unsafe = SnapshotRules.unloadable(snapshot);
    return unsafe.isEmpty() ? "" : table + " cannot be proven: " + String.join("; ", unsafe);
  }
}
