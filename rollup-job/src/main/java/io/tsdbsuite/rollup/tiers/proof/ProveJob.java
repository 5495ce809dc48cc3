package io.tsdbsuite.rollup.tiers.proof;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.input.AsOf;
import io.tsdbsuite.rollup.input.CompleteInput;
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
import io.tsdbsuite.rollup.spark.SparkFailures;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.Policy.Entry;
import io.tsdbsuite.rollup.tiers.TiersOptions;
import io.tsdbsuite.rollup.tiers.TiersPlan;
import io.tsdbsuite.rollup.tiers.TiersPlanJob;
import io.tsdbsuite.rollup.tiers.proof.ProveReport.Day;
import io.tsdbsuite.rollup.tiers.proof.ProveReport.Outcome;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.uid.UidSnapshot;
import io.tsdbsuite.rollup.verify.Aggregate;
import io.tsdbsuite.rollup.verify.RegionNames;
import io.tsdbsuite.rollup.verify.SeriesSample;
import io.tsdbsuite.rollup.verify.Verdict;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import io.tsdbsuite.rollup.verify.VerifyReport;
import io.tsdbsuite.rollup.verify.job.StoredTables;
import io.tsdbsuite.rollup.verify.job.VerifyJob;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves that the rollups of days whose raw data may go equal these; and of rows of rollup tables
 * that may go, that the wider rollups equal them.
 *
 * <ol>
 *   <li>Reads the manifests; refuses tables whose cells a marker could hide wrongly, and snapshots
 *       that are too old or not in order.
 *   <li>Finds the days by the indexes of the tables ({@link TiersPlan#days}), and those that have a
 *       proof of these snapshots.
 *   <li>Compares each other day by {@link VerifyJob}, never a sample; days without a proof first,
 *       the oldest first. Writes its proof if all is equal; otherwise removes a former one.
 * </ol>
 */
public final class ProveJob {
  private static final Logger LOG = LoggerFactory.getLogger(ProveJob.class);
  static final long DAY = 86400;
  private static final Comparator<Day> ORDER =
      Comparator.comparingInt(Day::day).thenComparingInt(Day::entry).thenComparing(Day::table);

  private final JavaSparkContext spark;
  private final ProveOptions options;
  private final TiersOptions tiers;
  private final ProofStore store;
  private final @Nullable Coverage coverage;
  private final List<CoverageFloor> floors;
  private final Clock clock;
  private final Instant started;
  private final Map<String, String> facts = new LinkedHashMap<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<Day> days = new ArrayList<>();

  /** The days to compare, in this order. */
  private final List<Item> left = new ArrayList<>();

  private long planned;

  /**
   * A day to compare.
   *
   * @param table {@link Policy#RAW}, or the interval of a rollup table
   * @param day the first of its rows, days since the epoch
   * @param end the day after the last
   * @param former time of its former proof; {@link Instant#MIN} if there is none
   */
  private record Item(
      String table, int day, int end, Entry entry, int number, String file, Instant former) {
    Instant from() {
      return Instant.ofEpochSecond(day * DAY);
    }

    Instant to() {
      return Instant.ofEpochSecond(end * DAY);
    }

    Day ended(Outcome outcome, String reason, String of, @Nullable Proof proof) {
      return new Day(
          table,
          day,
          number,
          entry.match(),
          outcome,
          reason,
          of,
          proof == null ? null : ProveReport.Totals.of(proof));
    }
  }

  /**
   * What all proofs of a table have in common.
   *
   * @param rollups the intervals that are compared
   */
  private record Evidence(
      String cluster, Snapshot snapshot, Proof.Source data, Map<String, Proof.Source> rollups) {}

  /** By the tables to prove, in their order. */
  private final Map<String, Evidence> evidence = new LinkedHashMap<>();

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
    this.coverage = coverage;
    this.floors = coverage == null ? List.of() : coverage.floors();
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
    left.forEach(item -> all.add(item.ended(Outcome.NOT_REACHED, "", "", null)));
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
    SnapshotLoader loader = new SnapshotLoader(spark.hadoopConfiguration(), tiers.root());
    RollupOptions all = rollup(new Window(0, DAY), List.of(), options.intervals(), false);
    StoredTables stored = new StoredTables(all, verify(Policy.RAW, tiers.rollupSnapshots(), ""));
    stored.load(spark.hadoopConfiguration(), facts);
    List<String> tables = tables(stored.snapshots());
    TiersPlan plan =
        new TiersPlanJob(spark.hadoopConfiguration(), tiers, clock.instant()).of(tables);
    warnings.addAll(plan.warnings());
    Snapshot data = plan.data();
    Snapshot uids = UidSnapshot.load(loader, tiers.uidSnapshot()).names();
    facts.put("dataSnapshot", data.name());
    facts.put("dataSnapshotTime", Instant.ofEpochMilli(data.creationTime()).toString());
    facts.put("uidSnapshot", uids.name());
    SnapshotRules rules = new SnapshotRules(tiers.policy(), data, started);
    rules.markable(data);
    rules.keeps(data, Policy.RAW);
    stored.snapshots().forEach((interval, each) -> rules.keeps(each, interval.interval()));
    rules.recent(data);
    rules.recent(uids);
    stored.snapshots().values().forEach(rules::recent);
    rules.require();
    String cluster = Proof.cluster(data);
    for (String table : tables) {
      Map<String, Proof.Source> rollups = new LinkedHashMap<>();
      Snapshot[] of = {data};
      stored
          .snapshots()
          .forEach(
              (interval, snapshot) -> {
                if (interval.interval().equals(table)) {
                  of[0] = snapshot;
                } else if (table.equals(Policy.RAW) || wider(table).contains(interval)) {
                  rollups.put(interval.interval(), Proof.Source.of(snapshot));
                }
              });
      evidence.put(table, new Evidence(cluster, of[0], Proof.Source.of(of[0]), rollups));
    }
    find(plan);
    Set<String> compared = new HashSet<>();
    for (Item item : List.copyOf(left)) {
      String day = item.table + item.day;
      if (compared.contains(day) || compared.size() < options.maxDays()) {
        boolean isRaw = item.table.equals(Policy.RAW);
        if (!isRaw && !isBelow(item.entry, finer(item), item.end * DAY)) {
          store.remove(item.file);
          days.add(item.ended(Outcome.REFUSED, above(item, "all metrics"), "", null));
        } else {
          compared.add(day);
          days.add(compare(item));
        }
        left.remove(item);
      }
    }
  }

  /** The tables to prove. */
  private List<String> tables(Map<RollupInterval, Snapshot> snapshots) {
    String only = options.table();
    List<String> tables = new ArrayList<>();
    if (only == null || only.equals(Policy.RAW)) {
      tables.add(Policy.RAW);
    }
    for (RollupInterval interval : options.intervals().all()) {
      String table = interval.interval();
      if (tiers.policy().limits(table) && (only == null || only.equals(table))) {
        String problem = problem(interval, Objects.requireNonNull(snapshots.get(interval)));
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
    List<RollupInterval> all = options.intervals().all();
    if (coverage == null) {
      return table
          + " must have --coverage-table to be proven: its rows go only below the floor of what"
          + " they were made of";
    }
    if (interval.rowSpan().endsWith("h")) {
      return table
          + " must have a rowSpan of a day or more to be proven, found "
          + interval.rowSpan();
    }
    if (wider(table).isEmpty() && !interval.equals(all.get(all.size() - 1))) {
      return table
          + " must have a multiple among the wider intervals to be proven, found "
          + options.intervals();
    }
    List<String> unsafe = SnapshotRules.unmarkable(snapshot);
    return unsafe.isEmpty() ? "" : table + " cannot be proven: " + String.join("; ", unsafe);
  }

  /** The wider intervals that can be made of a rollup table; a policy keeps them longer. */
  private List<RollupInterval> wider(String table) {
    long seconds = interval(table).seconds();
    return options.intervals().all().stream()
        .filter(each -> each.seconds() > seconds && each.seconds() % seconds == 0)
        .toList();
  }

  private RollupInterval interval(String table) {
    return Objects.requireNonNull(tiers.rollups().interval(table));
  }

  /** The widest table that an entry limits, of those of which a rollup table can be made again. */
  private String finer(Item item) {
    String finer = Policy.RAW;
    for (RollupInterval interval : options.intervals().all()) {
      if (interval.seconds() < interval(item.table).seconds()
          && item.entry.keep().containsKey(interval.interval())) {
        finer = interval.interval();
      }
    }
    return finer;
  }

  private String above(Item item, String metrics) {
    return ("the floor of %s must be %s or later before rows of %s go, found an earlier one or none"
            + " of %s: apply the days of %s first")
        .formatted(finer(item), item.to(), item.table, metrics, finer(item));
  }

  /**
   * Why the coverage does not let rows of a rollup table go; empty if it does.
   *
   * @param metrics the names of those that have such rows
   */
  private String uncovered(Item item, Collection<String> metrics) {
    Coverage known = Objects.requireNonNull(coverage);
    for (String metric : metrics) {
      if (known.floor(finer(item), metric) < item.end * DAY) {
        return above(item, metric);
      }
      for (RollupInterval wider : wider(item.table)) {
        if (!known
            .proven(wider.interval(), wider.seconds() * 1000, metric)
            .contains(item.day * DAY * 1000, item.end * DAY * 1000)) {
          return "the coverage table must prove the rollups of %s, found that it does not for %s%s"
              .formatted(
                  wider.interval(), metric, known.reason().isEmpty() ? "" : ": " + known.reason());
        }
      }
    }
    return "";
  }

  /** Finds the days and their former proofs; the order of {@link #left} is that of the work. */
  private void find(TiersPlan plan) {
    Set<String> names = new HashSet<>(store.names());
    List<Entry> entries = tiers.policy().entries();
    evidence.forEach(
        (table, of) -> {
          for (int i = 0; i < entries.size(); i++) {
            find(plan, table, of, entries.get(i), i, names);
          }
        });
    if (options.day() != null && days.isEmpty() && left.isEmpty()) {
      throw JobException.usage(
          ("--day must be one that %s of some entry lets go, not below a floor, whose end is an"
                  + " hour before the data snapshot (%s), and of which the TTL has taken nothing,"
                  + " found: %s")
              .formatted(
                  String.join(" or ", evidence.keySet()),
                  Instant.ofEpochMilli(plan.data().creationTime()),
                  LocalDate.ofEpochDay(options.day())));
    }
    left.sort(
        Comparator.comparing(Item::former)
            .thenComparingInt(Item::day)
            .thenComparingInt(Item::number));
  }

  private void find(
      TiersPlan plan, String table, Evidence of, Entry entry, int number, Set<String> names) {
    // Of later hours the snapshot may lack points; the TTL has begun to take earlier ones.
    long end = of.snapshot.creationTime() / 1000 - HoldBack.DEFAULT;
    long begin = CompleteInput.firstWholeHour(of.snapshot);
    SortedSet<Integer> found = plan.days(table, number, floors);
    Integer day = options.day();
    if (day != null) {
      int only = plan.firstDay(table, day);
      Long before = plan.before().get(number).get(table);
      boolean hidden =
          before != null
              && plan.endDay(table, only) * DAY <= before
              && !isBelow(entry, table, only * DAY + 1);
      found = hidden || found.contains(only) ? new TreeSet<>(Set.of(only)) : new TreeSet<>();
    }
    for (int first : found) {
      int next = plan.endDay(table, first);
      if (first * DAY < begin || next * DAY > end) {
        continue;
      }
      String file =
          ProofStore.name(table, Instant.ofEpochSecond(first * DAY), tiers.policy().metrics(entry));
      Proof former = names.contains(file) ? store.read(file) : null;
      Instant proven = former == null ? Instant.MIN : former.provenAt();
      Item item = new Item(table, first, next, entry, number + 1, file, proven);
      planned++;
      if (former != null && isOf(former, of)) {
        days.add(item.ended(Outcome.ALREADY_PROVEN, "", file, former));
      } else {
        left.add(item);
      }
    }
  }

  /**
   * Whether a floor of a level, of some metric of an entry, may be at a time or above.
   *
   * @param time seconds since the epoch
   */
  private boolean isBelow(Entry entry, String level, long time) {
    MetricPatterns metrics = MetricPatterns.of(tiers.policy().metrics(entry));
    return floors.stream()
        .filter(floor -> floor.level().equals(level) && floor.before() >= time)
        .anyMatch(
            floor -> metrics.mayShare(MetricPatterns.of(List.of(floor.metrics().split(",", -1)))));
  }

  /** Whether a proof is of the same snapshots, read in the same way. */
  private boolean isOf(Proof proof, Evidence evidence) {
    return proof.cluster().equals(evidence.cluster)
        && proof.data().equals(evidence.data)
        && proof.rollups().equals(evidence.rollups)
        && proof.schema().equals(tiers.schema().rowKeys())
        && proof.aggregatorIds().equals(aggregatorIds())
        && proof.anyBucket() == options.anyBucket();
  }

  private Day compare(Item item) {
    List<String> metrics = tiers.policy().metrics(item.entry);
    VerifyJob job = job(item, metrics);
    VerifyReport found = job.run();
    if (found.exitCode() != ExitCode.DONE && found.exitCode() != ExitCode.BAD_INPUT) {
      // The next day would fail likewise.
      String why = LocalDate.ofEpochDay(item.day) + ": " + found.message();
      throw switch (found.exitCode()) {
        case USAGE -> JobException.usage(why);
        case OUTSIDE -> JobException.outside(why);
        default -> JobException.defect(why, null);
      };
    }
    Report report = found.report();
    String file = store.write(item.file, report);
    String reason = found.exitCode() == ExitCode.DONE ? incomplete(found.raw()) : reason(found);
    if (reason.isEmpty() && !item.table.equals(Policy.RAW)) {
      reason = uncovered(item, job.countedMetrics());
    }
    if (!reason.isEmpty()) {
      store.remove(item.file);
      return item.ended(Outcome.REFUSED, reason, file, null);
    }
    String hash = RegionNames.sha256(report.jsonText().getBytes(StandardCharsets.UTF_8));
    Proof proof = proof(item, metrics, found, hash);
    store.write(proof);
    return item.ended(Outcome.PROVEN, "", item.file, proof);
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
  static String incomplete(Books raw) {
    return raw.daysFailed() == 0
        ? ""
        : raw.daysFailed()
            + " days of series failed: they have no rollups above 1h, though some of their rows are"
            + " valid";
  }

  private VerifyJob job(Item item, List<String> metrics) {
    Window window = new Window(item.day * DAY, item.end * DAY);
    String patterns = String.join(",", metrics);
    RollupIntervals intervals = options.intervals();
    List<String> snapshots = tiers.rollupSnapshots();
    boolean isRaw = item.table.equals(Policy.RAW);
    if (!isRaw) {
      List<RollupInterval> read = new ArrayList<>(wider(item.table));
      read.add(interval(item.table));
      intervals = new RollupIntervals(read);
      Evidence of = Objects.requireNonNull(evidence.get(item.table));
      snapshots = new ArrayList<>(List.of(of.data.snapshot()));
      of.rollups.values().stream().map(Proof.Source::snapshot).forEach(snapshots::add);
    }
    return new VerifyJob(
        spark,
        rollup(window, metrics, intervals, !isRaw),
        verify(item.table, snapshots, patterns),
        clock);
  }

  private Proof proof(Item item, List<String> metrics, VerifyReport found, String hash) {
    Evidence of = Objects.requireNonNull(evidence.get(item.table));
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
                    new Proof.Rows(may.rows(), may.annotatedRows(), may.points())));
    SortedMap<String, Long> kept = new TreeMap<>();
    for (MetricRows.Kept reason : MetricRows.Kept.values()) {
      if (rows.kept(reason) > 0) {
        kept.put(reason.key(), rows.kept(reason));
      }
    }
    return new Proof(
        Proof.FORMAT,
        options.version(),
        new Proof.Selection(
            item.number,
            item.entry.match(),
            metrics,
            new TreeMap<>(item.entry.keep()),
            tiers.policy().sha256()),
        of.cluster,
        new TreeMap<>(tiers.schema().rowKeys()),
        aggregatorIds(),
        options.anyBucket(),
        item.table,
        item.from(),
        item.to(),
        ofMetrics,
        kept,
        of.data,
        of.rollups,
        new Proof.Verified(
            hash, found.compared().compared(), found.compared().count(Verdict.EQUAL)),
        Proof.Series.NONE,
        clock.instant());
  }

  private SortedMap<String, Integer> aggregatorIds() {
    SortedMap<String, Integer> ids = new TreeMap<>();
    for (Aggregate aggregate : Aggregate.values()) {
      ids.put(aggregate.text(), tiers.rollups().aggregatorId(aggregate.text()));
    }
    return ids;
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
        Aggregate.ids(tiers.rollups()),
        metrics,
        // What is gone of the compared intervals must refuse the day.
        floors.stream().filter(floor -> floor.level().equals(table)).toList(),
        table);
  }
}
