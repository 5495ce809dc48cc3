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
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves that the rollups of days whose raw data may go equal these.
 *
 * <ol>
 *   <li>Reads the manifests; refuses tables whose cells a marker could hide wrongly, and snapshots
 *       that are too old or not in order.
 *   <li>Finds the days by the indexes of the data table ({@link TiersPlan#rawDays}), and those that
 *       have a proof of these snapshots.
 *   <li>Compares each other day by {@link VerifyJob}, never a sample; days without a proof first,
 *       the oldest first. Writes its proof if all is equal; otherwise removes a former one.
 * </ol>
 */
public final class ProveJob {
  /** Greatest age of the snapshots of a proof. */
  private static final Duration MAX_PROOF_AGE = Duration.ofMillis(Coverage.MAX_PROOF_AGE);

  private static final Logger LOG = LoggerFactory.getLogger(ProveJob.class);
  private static final long DAY = 86400;
  private static final Comparator<Day> ORDER =
      Comparator.comparingInt(Day::day).thenComparingInt(Day::entry);

  private final JavaSparkContext spark;
  private final ProveOptions options;
  private final TiersOptions tiers;
  private final ProofStore store;
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
   * @param former time of its former proof; {@link Instant#MIN} if there is none
   */
  private record Item(int day, Entry entry, int number, String file, Instant former) {
    Day ended(Outcome outcome, String reason, String of, @Nullable Proof proof) {
      return new Day(
          day,
          number,
          entry.match(),
          outcome,
          reason,
          of,
          proof == null ? null : ProveReport.Totals.of(proof));
    }
  }

  /** What all proofs of a run have in common. */
  private record Evidence(String cluster, Proof.Source data, Map<String, Proof.Source> rollups) {}

  /**
   * @param store of the proofs
   * @param floors of the coverage table; none if it is not known
   * @param clock the present
   */
  public ProveJob(
      JavaSparkContext spark,
      ProveOptions options,
      ProofStore store,
      List<CoverageFloor> floors,
      Clock clock) {
    this.spark = spark;
    this.options = options;
    this.tiers = options.tiers();
    this.store = store;
    this.floors = floors;
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
    StoredTables stored = new StoredTables(rollup(0, List.of()), verify(List.of()));
    stored.load(spark.hadoopConfiguration(), facts);
    TiersPlan plan =
        new TiersPlanJob(spark.hadoopConfiguration(), tiers, clock.instant()).ofRawData();
    warnings.addAll(plan.warnings());
    Snapshot data = plan.data();
    Snapshot uids = UidSnapshot.load(loader, tiers.uidSnapshot()).names();
    facts.put("dataSnapshot", data.name());
    facts.put("dataSnapshotTime", Instant.ofEpochMilli(data.creationTime()).toString());
    facts.put("uidSnapshot", uids.name());
    require(data, uids, stored.snapshots());
    Map<String, Proof.Source> rollups = new LinkedHashMap<>();
    stored
        .snapshots()
        .forEach((interval, of) -> rollups.put(interval.interval(), Proof.Source.of(of)));
    Evidence evidence = new Evidence(Proof.cluster(data), Proof.Source.of(data), rollups);
    find(plan, evidence);
    Set<Integer> compared = new HashSet<>();
    for (Item item : List.copyOf(left)) {
      if (compared.contains(item.day) || compared.size() < options.maxDays()) {
        compared.add(item.day);
        days.add(compare(item, evidence));
        left.remove(item);
      }
    }
  }

  /** Refuses what no proof can make safe, all at once. */
  private void require(Snapshot data, Snapshot uids, Map<RollupInterval, Snapshot> rollups) {
    List<String> problems = new ArrayList<>();
    String table = "table " + data.table();
    if (data.family().getScope() != HConstants.REPLICATION_SCOPE_LOCAL) {
      problems.add(
          table
              + " must have REPLICATION_SCOPE 0, because cells of another cluster come late with"
              + " their old timestamps, found "
              + data.family().getScope());
    }
    if (data.family().getKeepDeletedCells() != KeepDeletedCells.FALSE) {
      problems.add(
          table
              + " must have KEEP_DELETED_CELLS FALSE, because deleted cells would stay, found "
              + data.family().getKeepDeletedCells());
    }
    requireTtl(data, Policy.RAW, problems);
    List<Snapshot> all = new ArrayList<>(List.of(data, uids));
    rollups.forEach(
        (interval, snapshot) -> {
          requireTtl(snapshot, interval.interval(), problems);
          all.add(snapshot);
        });
    Instant oldest = started.minus(MAX_PROOF_AGE);
    for (Snapshot snapshot : all) {
      Instant taken = Instant.ofEpochMilli(snapshot.creationTime());
      String what = "snapshot '%s' of table %s".formatted(snapshot.name(), snapshot.table());
      if (snapshot.creationTime() < data.creationTime()) {
        problems.add(
            "%s must not be older than data snapshot '%s' (%s), found %s: take it after"
                .formatted(what, data.name(), Instant.ofEpochMilli(data.creationTime()), taken));
      }
      if (taken.isBefore(oldest)) {
        problems.add(
            "%s must not be older than %s days, as its proof, found %s"
                .formatted(what, MAX_PROOF_AGE.toDays(), taken));
      }
    }
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
  }

  /** The table must keep its cells as long as each entry of the policy does. */
  private void requireTtl(Snapshot snapshot, String tier, List<String> problems) {
    int ttl = snapshot.family().getTimeToLive();
    for (Entry entry : tiers.policy().entries()) {
      Integer keep = entry.keep().get(tier);
      if (ttl != HConstants.FOREVER && (keep == null || ttl < keep * DAY)) {
        problems.add(
            "the TTL of table %s must not be less than what the policy keeps (%s: %s %s), found %s s"
                .formatted(
                    snapshot.table(),
                    entry.match(),
                    tier,
                    keep == null ? "for ever" : keep + " days",
                    ttl));
      }
    }
  }

  /** Finds the days and their former proofs; the order of {@link #left} is that of the work. */
  private void find(TiersPlan plan, Evidence evidence) {
    Set<String> names = new HashSet<>(store.names());
    // Of later hours the snapshot may lack points; the TTL has begun to take earlier ones.
    long end = plan.data().creationTime() / 1000 - HoldBack.DEFAULT;
    long begin = CompleteInput.firstWholeHour(plan.data());
    List<Entry> entries = tiers.policy().entries();
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      SortedSet<Integer> found = plan.rawDays(i, floors);
      Integer only = options.day();
      if (only != null) {
        Long before = plan.before().get(i).get(Policy.RAW);
        boolean hidden = before != null && only * DAY < before && !isBelowFloor(entry, only);
        found = hidden || found.contains(only) ? new TreeSet<>(Set.of(only)) : new TreeSet<>();
      }
      for (int day : found) {
        if (day * DAY < begin || (day + 1) * DAY > end) {
          continue;
        }
        String file =
            ProofStore.name(
                Policy.RAW, Instant.ofEpochSecond(day * DAY), tiers.policy().metrics(entry));
        Proof former = names.contains(file) ? store.read(file) : null;
        Item item =
            new Item(day, entry, i + 1, file, former == null ? Instant.MIN : former.provenAt());
        planned++;
        if (former != null && isOf(former, evidence)) {
          days.add(item.ended(Outcome.ALREADY_PROVEN, "", file, former));
        } else {
          left.add(item);
        }
      }
    }
    if (options.day() != null && days.isEmpty() && left.isEmpty()) {
      throw JobException.usage(
          ("--day must be one that raw of some entry lets go, not below a floor, whose end is an"
                  + " hour before the data snapshot (%s), and of which the TTL has taken nothing,"
                  + " found: %s")
              .formatted(
                  Instant.ofEpochMilli(plan.data().creationTime()),
                  LocalDate.ofEpochDay(options.day())));
    }
    left.sort(
        Comparator.comparing(Item::former)
            .thenComparingInt(Item::day)
            .thenComparingInt(Item::number));
  }

  /** Whether some metric of an entry may be below its floor on a day. */
  private boolean isBelowFloor(Entry entry, int day) {
    MetricPatterns metrics = MetricPatterns.of(tiers.policy().metrics(entry));
    return floors.stream()
        .filter(floor -> floor.level().equals(CoverageFloor.RAW) && floor.before() > day * DAY)
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

  private Day compare(Item item, Evidence evidence) {
    List<String> metrics = tiers.policy().metrics(item.entry);
    VerifyReport found =
        new VerifyJob(spark, rollup(item.day, metrics), verify(metrics), clock).run();
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
    if (!reason.isEmpty()) {
      store.remove(item.file);
      return item.ended(Outcome.REFUSED, reason, file, null);
    }
    String hash = RegionNames.sha256(report.jsonText().getBytes(StandardCharsets.UTF_8));
    Proof proof = proof(item, metrics, evidence, found, hash);
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

  private Proof proof(
      Item item, List<String> metrics, Evidence evidence, VerifyReport found, String hash) {
    Books raw = found.raw();
    MetricRows counted = raw.metricRows();
    MetricRows rows = counted == null ? new MetricRows() : counted;
    long read =
        raw.count(Count.ROWS_READ)
            - raw.skipped(SkipReason.OUTSIDE_WINDOW)
            - raw.skipped(SkipReason.EXCLUDED_METRIC);
    if (rows.rows() != read || !found.compared().isClean()) {
      throw Defects.openBooks();
    }
    SortedMap<String, Proof.Rows> ofMetrics = new TreeMap<>();
    rows.metrics()
        .forEach(
            (uid, of) ->
                ofMetrics.put(
                    HexFormat.of().formatHex(Uids.bytes(uid, tiers.schema().metricWidth())),
                    new Proof.Rows(of.rows(), of.annotatedRows(), of.points())));
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
        evidence.cluster,
        new TreeMap<>(tiers.schema().rowKeys()),
        aggregatorIds(),
        options.anyBucket(),
        Policy.RAW,
        Instant.ofEpochSecond(item.day * DAY),
        Instant.ofEpochSecond((item.day + 1) * DAY),
        ofMetrics,
        kept,
        evidence.data,
        evidence.rollups,
        new Proof.Verified(
            hash, found.compared().compared(), found.compared().count(Verdict.EQUAL)),
        clock.instant());
  }

  private SortedMap<String, Integer> aggregatorIds() {
    SortedMap<String, Integer> ids = new TreeMap<>();
    for (Aggregate aggregate : Aggregate.values()) {
      ids.put(aggregate.text(), tiers.rollups().aggregatorId(aggregate.text()));
    }
    return ids;
  }

  /** The raw data of a day. */
  private RollupOptions rollup(int day, List<String> metrics) {
    return new RollupOptions(
        tiers.root(),
        tiers.dataSnapshot(),
        UidSettings.ofSnapshot(tiers.uidSnapshot()),
        tiers.schema(),
        options.intervals(),
        new Window(day * DAY, (day + 1) * DAY),
        HoldBack.of(HoldBack.DEFAULT, clock),
        MetricPatterns.of(metrics),
        options.partitionBytes(),
        new Tolerance(new FailureLimits(options.maxFailedRows(), 0), false, false, true),
        null,
        AsOf.SNAPSHOT,
        options.anyBucket());
  }

  /** The rollups to compare with them. */
  private VerifyOptions verify(List<String> metrics) {
    return new VerifyOptions(
        tiers.root(),
        tiers.rollupSnapshots(),
        null,
        1,
        new SeriesSample(1, 1, 0),
        Aggregate.ids(tiers.rollups()),
        String.join(",", metrics),
        // What is gone below the floor of its interval must refuse the day.
        floors.stream().filter(floor -> floor.level().equals(CoverageFloor.RAW)).toList(),
        true);
  }
}
