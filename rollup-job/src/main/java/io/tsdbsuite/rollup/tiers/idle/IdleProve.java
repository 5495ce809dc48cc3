package io.tsdbsuite.rollup.tiers.idle;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.TaskFailures;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.input.Tolerance;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.MetricRows.Kept;
import io.tsdbsuite.rollup.spark.Broadcasts;
import io.tsdbsuite.rollup.spark.SparkFailures;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.TiersOptions;
import io.tsdbsuite.rollup.tiers.TiersPlanJob;
import io.tsdbsuite.rollup.tiers.apply.TierTable;
import io.tsdbsuite.rollup.tiers.proof.IdleSeries;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.rollup.tiers.proof.ProofStore;
import io.tsdbsuite.rollup.tiers.proof.ProveOptions;
import io.tsdbsuite.rollup.tiers.proof.SnapshotRules;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.uid.UidSetup;
import io.tsdbsuite.rollup.uid.UidSnapshot;
import io.tsdbsuite.rollup.verify.Aggregators;
import io.tsdbsuite.rollup.verify.job.StoredTables;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * Proves that series have no write since a time, in the snapshots of all tables. An entry of the
 * policy at a time:
 *
 * <ol>
 *   <li>Tasks read all rows of its metrics in all tables ({@link IdleTask}); Spark sums them by
 *       TSUID ({@link SeriesState}).
 *   <li>The driver takes the idle series in the order of their TSUIDs.
 *   <li>It removes the former proofs of the entry, and writes the series, then a proof for each
 *       table, that of the raw data last: without it the others do not count.
 * </ol>
 */
public final class IdleProve {
  private static final Logger LOG = LoggerFactory.getLogger(IdleProve.class);
  private static final long DAY = 86400;
  private static final long END = 1L << 32;

  /** The driver receives the idle series of one of Spark's partitions at a time. */
  private static final double PARTITION_ROWS = 1e6;

  private static final int MOST_PARTITIONS = 10_000;

  /** What becomes of a series that does not stay for what its rows have. */
  private static final String IDLE = "idle";

  private static final String LIVE = "live";

  /** The sum of the tasks, which has the place of a series. */
  private static final String TASKS = "";

  private static final long[] NO_SERIES = {0, 0};

  private final JavaSparkContext spark;
  private final ProveOptions options;
  private final TiersOptions tiers;
  private final @Nullable String match;
  private final boolean dryRun;
  private final ProofStore store;
  private final Clock clock;
  private final Instant started;
  private final Map<String, String> facts = new LinkedHashMap<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<IdleReport.Entry> entries = new ArrayList<>();

  /** The tables in the order of their proofs. */
  private final List<Level> levels = new ArrayList<>();

  /** A table and its snapshot. */
  private record Level(TierTable table, Snapshot snapshot, Proof.Source source) {}

  /**
   * @param options those of days do not count
   * @param match pattern of the one entry to prove; null for all that have idle
   * @param dryRun whether nothing is written
   * @param store of the proofs
   * @param clock the present
   */
  public IdleProve(
      JavaSparkContext spark,
      ProveOptions options,
      @Nullable String match,
      boolean dryRun,
      ProofStore store,
      Clock clock) {
    this.spark = spark;
    this.options = options;
    this.tiers = options.tiers();
    this.match = match;
    this.dryRun = dryRun;
    this.store = store;
    this.clock = clock;
    this.started = clock.instant();
  }

  /** Proves; returns a report also when it failed. */
  public IdleReport run() {
    try {
      prove();
      return report(ExitCode.DONE, "");
    } catch (Throwable e) {
      // Spark's checked exceptions, which Scala does not declare, and errors, too.
      JobException failure = SparkFailures.of(spark, e);
      if (failure.exitCode() == ExitCode.DEFECT) {
        LOG.error("the run ends because of a defect", failure);
      }
      return report(failure.exitCode(), failure.getMessage());
    }
  }

  private IdleReport report(ExitCode exitCode, String message) {
    return new IdleReport(
        exitCode, message, started, clock.instant(), facts, List.copyOf(entries), warnings);
  }

  private void prove() {
    facts.put("snapshotRoot", tiers.root());
    facts.put("policy", tiers.policy().sha256());
    Map<String, Snapshot> rollups =
        StoredTables.load(
            spark.hadoopConfiguration(),
            tiers.root(),
            tiers.rollupSnapshots(),
            options.intervals().all().stream().map(RollupInterval::interval).toList(),
            options.intervals(),
            Tolerance.NONE,
            facts);
    // Its indexes tell whether the row keys are those of the configuration.
    Snapshot data =
        new TiersPlanJob(spark.hadoopConfiguration(), tiers, started).of(List.of()).data();
    SnapshotLoader loader = new SnapshotLoader(spark.hadoopConfiguration(), tiers.root());
    UidSnapshot uids = UidSnapshot.load(loader, tiers.uidSnapshot());
    facts.put("dataSnapshot", data.name());
    facts.put("dataSnapshotTime", Instant.ofEpochMilli(data.creationTime()).toString());
    facts.put("uidSnapshot", uids.names().name());
    SnapshotRules rules = new SnapshotRules(tiers.policy(), data, started);
    rules.recent(uids.names());
    rollups.forEach((interval, snapshot) -> levels.add(level(interval, snapshot)));
    levels.add(level(Policy.RAW, data));
    for (Level level : levels) {
      rules.markable(level.snapshot);
      rules.recent(level.snapshot);
    }
    rules.require();
    UidSetup setup =
        new UidSetup(
            UidSettings.ofSnapshot(tiers.uidSnapshot()),
            tiers.schema(),
            spark.hadoopConfiguration());
    try (UidNames names = setup.load(Optional.of(uids), data, warnings);
        Broadcasts shared = Broadcasts.of(spark, names, data)) {
      List<Policy.Entry> all = tiers.policy().entries();
      for (int i = 0; i < all.size(); i++) {
        Policy.Entry entry = all.get(i);
        if (entry.idle() > 0 && (match == null || match.equals(entry.match()))) {
          prove(entry, i + 1, shared);
        }
      }
    }
  }

  private Level level(String table, Snapshot snapshot) {
    return new Level(
        TierTable.of(table, tiers.schema(), tiers.rollups(), tiers.codecs()),
        snapshot,
        Proof.Source.of(snapshot));
  }

  private void prove(Policy.Entry entry, int number, Broadcasts shared) {
    // What came after a snapshot is not known.
    long until = started.toEpochMilli();
    for (Level level : levels) {
      until = Math.min(until, level.snapshot.creationTime());
    }
    long before = Math.floorDiv(until / 1000 - entry.idle() * DAY, DAY) * DAY;
    List<String> metrics = tiers.policy().metrics(entry);
    List<IdleTask.Part> parts = new ArrayList<>();
    double rows = 0;
    for (int i = 0; i < levels.size(); i++) {
      Level level = levels.get(i);
      RollupPlan plan =
          new RollupPlanner(
                  level.snapshot,
                  new RowWindow(tiers.schema(), 0, END),
                  false,
                  options.partitionBytes())
              .plan();
      rows += plan.estimatedRows();
      SnapshotFamily family = SnapshotFamily.of(level.snapshot);
      int table = i;
      plan.partitions().stream()
          .flatMap(partition -> partition.parts().stream())
          .forEach(part -> parts.add(new IdleTask.Part(table, level.table, family, part)));
    }
    IdleTask task =
        new IdleTask(shared, tiers.root(), MetricPatterns.of(metrics), before, options.anyBucket());
    int partitions =
        (int)
            Math.min(MOST_PARTITIONS, Math.max(spark.defaultParallelism(), rows / PARTITION_ROWS));
    int tables = levels.size();
    TaskFailures.watch(
        spark,
        SparkFailures.RULES,
        () -> {
          JavaPairRDD<String, SeriesState> states =
              spark
                  .parallelize(parts, Math.max(1, parts.size()))
                  .flatMapToPair(task)
                  .mapToPair(IdleProve::byText)
                  .aggregateByKey(
                      new SeriesState(tables), partitions, SeriesState::add, SeriesState::merge);
          long time = before * 1000;
          Map<String, long[]> fates =
              states
                  .mapToPair(state -> fate(state, time))
                  .reduceByKey((a, b) -> new long[] {a[0] + b[0], a[1] + b[1]})
                  .collectAsMap();
          if (fates.getOrDefault(TASKS, NO_SERIES)[0] != parts.size()) {
            throw Defects.openBooks();
          }
          Iterator<Tuple2<String, SeriesState>> idle =
              states
                  .filter(state -> fate(state, time)._1().equals(IDLE))
                  .sortByKey(true, partitions)
                  .toLocalIterator();
          take(entry, number, before, fates, idle);
        },
        () -> false);
  }

  /** Strings of Latin-1 have the order of their bytes. */
  private static Tuple2<String, byte[]> byText(Tuple2<byte[], byte[]> record) {
    return new Tuple2<>(new String(record._1(), StandardCharsets.ISO_8859_1), record._2());
  }

  /** What becomes of a series, with 1 and its rows; of the sum of the tasks their number. */
  private static Tuple2<String, long[]> fate(Tuple2<String, SeriesState> state, long before) {
    SeriesState of = state._2();
    Kept reason = of.reason();
    String fate;
    if (state._1().isEmpty()) {
      fate = TASKS;
    } else if (of.isLive(before)) {
      fate = LIVE;
    } else {
      fate = reason == null ? IDLE : reason.key();
    }
    return new Tuple2<>(fate, new long[] {fate.equals(TASKS) ? of.tasks() : 1, of.rows()});
  }

  /** Takes the idle series, as many as a proof may name, and writes their proofs. */
  private void take(
      Policy.Entry entry,
      int number,
      long before,
      Map<String, long[]> fates,
      Iterator<Tuple2<String, SeriesState>> idle) {
    IdleSeries.Builder series = new IdleSeries.Builder();
    List<Goes> goes = levels.stream().map(level -> new Goes()).toList();
    long taken = 0;
    boolean isFull = false;
    while (idle.hasNext() && !isFull) {
      Tuple2<String, SeriesState> next = idle.next();
      byte[] tsuid = next._1().getBytes(StandardCharsets.ISO_8859_1);
      isFull = !series.add(tsuid);
      if (!isFull) {
        taken++;
        String metric = HexFormat.of().formatHex(tsuid, 0, tiers.schema().metricWidth());
        for (int i = 0; i < goes.size(); i++) {
          goes.get(i).add(metric, next._2(), i);
        }
      }
    }
    long read = 0;
    long rows = 0;
    SortedMap<String, Long> kept = new TreeMap<>();
    for (Map.Entry<String, long[]> fate : fates.entrySet()) {
      if (!fate.getKey().equals(TASKS)) {
        read += fate.getValue()[0];
        rows += fate.getValue()[1];
        kept.put(fate.getKey(), fate.getValue()[0]);
      }
    }
    Long idleSeries = kept.remove(IDLE);
    Long live = kept.remove(LIVE);
    Instant time = Instant.ofEpochSecond(before);
    List<String> metrics = tiers.policy().metrics(entry);
    List<IdleReport.Table> tables = new ArrayList<>();
    for (int i = 0; i < levels.size(); i++) {
      String table = levels.get(i).table.level();
      tables.add(goes.get(i).of(table, ProofStore.idleName(table, time, metrics)));
    }
    IdleReport.Entry found =
        new IdleReport.Entry(
            number,
            entry.match(),
            entry.idle(),
            time,
            read,
            taken,
            live == null ? 0 : live,
            kept,
            isFull && idleSeries != null ? idleSeries - taken : 0,
            fates.getOrDefault(TASKS, NO_SERIES)[1],
            rows,
            null,
            tables);
    if (!found.booksClose()) {
      entries.add(found);
      throw Defects.openBooks();
    }
    entries.add(dryRun ? found : found.with(write(entry, number, time, series.build(), goes)));
  }

  /** Writes the proofs of an entry, if there are idle series, and removes former ones. */
  private Proof.@Nullable Series write(
      Policy.Entry entry, int number, Instant before, IdleSeries series, List<Goes> goes) {
    List<String> metrics = tiers.policy().metrics(entry);
    store.removeIdle(metrics);
    if (series.count() == 0) {
      return null;
    }
    Proof.Series file = store.write(series, before, metrics);
    Instant provenAt = clock.instant();
    String suite = tiers.rollups().suite().text();
    SortedMap<String, Integer> keep = new TreeMap<>(entry.keep());
    keep.put(Policy.IDLE, entry.idle());
    Proof.Selection selection =
        new Proof.Selection(number, entry.match(), metrics, keep, tiers.policy().sha256());
    for (int i = 0; i < levels.size(); i++) {
      Level level = levels.get(i);
      Map<String, Proof.Source> others = new LinkedHashMap<>();
      for (Level other : levels) {
        if (!other.equals(level)) {
          others.put(other.table.level(), other.source);
        }
      }
      store.write(
          new Proof(
              suite.isEmpty() ? Proof.IDLE : Proof.IDLE_OF_SUITE,
              options.version(),
              selection,
              Proof.cluster(level.snapshot),
              new TreeMap<>(tiers.schema().rowKeys()),
              Aggregators.of(tiers.rollups(), tiers.codecs()).numbers(),
              suite,
              options.anyBucket(),
              level.table.level(),
              Instant.EPOCH,
              before,
              goes.get(i).metrics,
              goes.get(i).kept,
              level.source,
              others,
              Proof.Verified.NONE,
              file,
              provenAt));
    }
    return file;
  }

  /** What goes of a table. */
  private static final class Goes {
    private final SortedMap<String, Proof.Rows> metrics = new TreeMap<>();
    private final SortedMap<String, Long> kept = new TreeMap<>();

    void add(String metric, SeriesState series, int table) {
      Proof.Rows rows = series.goes(table);
      if (rows.rows() + rows.annotatedRows() > 0) {
        metrics.merge(metric, rows, Proof.Rows::plus);
      }
      for (Kept why : List.of(Kept.ANNOTATIONS, Kept.EMPTY)) {
        long stay = series.stays(table, why);
        if (stay > 0) {
          kept.merge(why.key(), stay, Long::sum);
        }
      }
    }

    IdleReport.Table of(String table, String file) {
      Proof.Rows all = metrics.values().stream().reduce(new Proof.Rows(0, 0, 0), Proof.Rows::plus);
      return new IdleReport.Table(table, file, all.rows(), all.annotatedRows(), all.points(), kept);
    }
  }
}
