package io.tsdbsuite.rollup.job;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.snapshot.Snapshot;
import io.tsdbsuite.rollup.snapshot.SnapshotLoader;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.verify.StoredBooks;
import io.tsdbsuite.rollup.verify.StoredTable;
import io.tsdbsuite.rollup.verify.Verdict;
import io.tsdbsuite.rollup.verify.VerifyBooks;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import io.tsdbsuite.rollup.verify.VerifyReport;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.util.SerializableConfiguration;
import scala.Tuple2;

/**
 * Rolls up a time window of a snapshot of OpenTSDB's data table again, and compares the rollups
 * with those that are stored. Writes nothing.
 */
public final class VerifyJob {
  /** The family of data and rollup tables. */
  private static final String FAMILY = "t";

  /** A record of the shuffle with what sorting it takes, about; and what a task shall sort. */
  private static final long RECORD_BYTES = 150;

  private static final long TASK_BYTES = 128L << 20;
  private static final int MOST_TASKS = 4000;

  private final JavaSparkContext spark;
  private final RollupOptions options;
  private final VerifyOptions verify;
  private final Clock clock;
  private final Instant started;
  private final Phases phases = new Phases(System::nanoTime);
  private final Map<String, String> input = new LinkedHashMap<>();
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
    input.put("snapshotRoot", options.snapshotRoot());
    input.put("dataSnapshot", options.dataSnapshot());
    if (options.uidSnapshot() != null) {
      input.put("uidSnapshot", options.uidSnapshot());
    }
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
        input,
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
    Snapshot data =
        phases.time("manifests", () -> load(options.snapshotRoot(), options.dataSnapshot()));
    input.put("dataTable", data.table());
    input.put("dataSnapshotTime", Instant.ofEpochMilli(data.creationTime()).toString());
    Map<RollupInterval, Snapshot> tables = phases.time("manifests", this::tables);
    UidSetup uids = new UidSetup(options, spark.hadoopConfiguration());
    RunSnapshots snapshots = new RunSnapshots(data, phases.time("manifests", uids::snapshot));
    snapshots.warnIfIncomplete(options.to(), warnings);
    UidNames names = phases.time("UIDs", () -> uids.load(snapshots, warnings));
    try {
      RollupPlan plan = phases.time("plan", () -> plan(data));
      List<StoredTask.Part> parts = phases.time("plan", () -> parts(tables));
      phases.time(
          "compare",
          () -> {
            compare(data, names, plan, parts);
            return null;
          });
    } finally {
      names.close();
    }
  }

  private Snapshot load(String root, String name) {
    return new SnapshotLoader(spark.hadoopConfiguration(), root).load(name, FAMILY);
  }

  /** The snapshot of each interval's table; none with a TSD. */
  private Map<RollupInterval, Snapshot> tables() {
    Map<String, Snapshot> byTable = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    for (String name : verify.snapshots()) {
      Snapshot snapshot = load(verify.rollupRoot(), name);
      Snapshot other = byTable.put(snapshot.table(), snapshot);
      if (other != null) {
        problems.add(
            "--against-snapshot must have one snapshot of each table, found "
                + other.name()
                + " and "
                + name
                + ", both of "
                + snapshot.table());
      }
    }
    Map<RollupInterval, Snapshot> tables = new LinkedHashMap<>();
    if (verify.tsd() != null) {
      input.put("tsd", verify.tsd().toString());
      return tables;
    }
    input.put("rollupRoot", verify.rollupRoot());
    for (RollupInterval interval : options.intervals().all()) {
      Snapshot snapshot = byTable.remove(interval.table());
      if (snapshot == null) {
        problems.add(
            "--against-snapshot must have a snapshot of table "
                + interval.table()
                + ", which rollup_config.json names for "
                + interval.interval()
                + " alone");
      } else {
        tables.put(interval, snapshot);
        input.put("rollupSnapshot " + interval.interval(), snapshot.name());
        input.put(
            "rollupSnapshotTime " + interval.interval(),
            Instant.ofEpochMilli(snapshot.creationTime()).toString());
      }
    }
    byTable
        .values()
        .forEach(
            snapshot ->
                problems.add(
                    "--against-snapshot "
                        + snapshot.name()
                        + " is of table "
                        + snapshot.table()
                        + ", which is that of no interval of "
                        + options.intervals()));
    if (!problems.isEmpty()) {
      throw RollupException.usage(problems);
    }
    return tables;
  }

  private RollupPlan plan(Snapshot data) {
    return new RollupPlanner(data, window(), options.intervals().hasDay(), options.partitionBytes())
        .plan();
  }

  private RowWindow window() {
    return new RowWindow(options.schema(), options.from(), options.to());
  }

  private List<StoredTask.Part> parts(Map<RollupInterval, Snapshot> tables) {
    List<StoredTask.Part> parts = new ArrayList<>();
    int[] ids = verify.aggregatorIds().stream().mapToInt(Integer::intValue).toArray();
    tables.forEach(
        (interval, snapshot) -> {
          StoredTable table =
              new StoredTable(
                  interval,
                  options.intervals().all().indexOf(interval),
                  options.schema(),
                  ids,
                  options.from(),
                  options.to(),
                  verify.sample());
          byte[] family = ColumnFamilyDescriptorBuilder.toByteArray(snapshot.family());
          new RollupPlanner(snapshot, table.rows(), false, options.partitionBytes())
              .plan().partitions().stream()
                  .flatMap(partition -> partition.parts().stream())
                  .forEach(
                      part -> parts.add(new StoredTask.Part(parts.size(), table, family, part)));
        });
    return parts;
  }

  private void compare(
      Snapshot data, UidNames names, RollupPlan plan, List<StoredTask.Part> parts) {
    Broadcast<UidNames> broadcastNames = spark.broadcast(names);
    Broadcast<SerializableConfiguration> broadcastConf =
        spark.broadcast(new SerializableConfiguration(data.conf()));
    TaskFailures failures = new TaskFailures();
    spark.sc().addSparkListener(failures);
    try {
      JavaPairRDD<byte[], byte[]> records =
          pairs(plan, computed(data, broadcastNames, broadcastConf));
      if (!parts.isEmpty()) {
        records =
            records.union(
                spark
                    .parallelize(parts, parts.size())
                    .flatMapToPair(
                        new StoredTask(
                            broadcastNames,
                            broadcastConf,
                            verify.rollupRoot(),
                            options.metrics())));
      }
      List<CompareTask.Result> results =
          sorted(records, tasks(plan)).mapPartitions(compareTask(broadcastNames)).collect();
      int tasks = 0;
      for (CompareTask.Result result : results) {
        compared.add(result.compared());
        raw.add(result.raw());
        stored.add(result.stored());
        tasks += result.tasks();
      }
      if (tasks != plan.partitions().size() + parts.size()) {
        throw RollupException.outside(
            "Spark ended with the books of "
                + tasks
                + " of "
                + (plan.partitions().size() + parts.size())
                + " tasks",
            null);
      }
    } catch (RollupException e) {
      throw e;
    } catch (Exception e) {
      // SparkException among them: it is checked, but Scala does not declare it.
      RollupException known = failures.last();
      throw known == null ? RollupException.outside("Spark failed: " + e.getMessage(), e) : known;
    } finally {
      failures.awaitIdle();
      spark.sc().removeSparkListener(failures);
      broadcastNames.destroy();
      broadcastConf.destroy();
    }
  }

  private JavaPairRDD<byte[], byte[]> pairs(RollupPlan plan, ComputedTask task) {
    int partitions = plan.partitions().size();
    return spark.parallelize(plan.partitions(), Math.max(1, partitions)).flatMapToPair(task);
  }

  private ComputedTask computed(
      Snapshot data, Broadcast<UidNames> names, Broadcast<SerializableConfiguration> conf) {
    RollupTask task =
        new RollupTask(
            names,
            conf,
            options.snapshotRoot(),
            ColumnFamilyDescriptorBuilder.toByteArray(data.family()),
            options.schema(),
            options.intervals(),
            window(),
            options.metrics(),
            Long.MAX_VALUE,
            Concurrency.perExecutor(spark.sc()),
            0,
            // Only names can be asked for; snapshots are compared by UIDs.
            new NoSinks(verify.tsd() != null),
            new Progress(spark.sc()));
    return new ComputedTask(task, verify.sample());
  }

  private CompareTask compareTask(Broadcast<UidNames> names) {
    return new CompareTask(
        names,
        options.schema(),
        options.intervals().all().stream().map(RollupInterval::interval).toList(),
        verify.tsd(),
        options.from(),
        options.to());
  }

  private JavaRDD<Tuple2<byte[], byte[]>> sorted(JavaPairRDD<byte[], byte[]> records, int tasks) {
    RDD<Tuple2<byte[], byte[]>> sorted =
        records
            .repartitionAndSortWithinPartitions(
                new SidePartitions(tasks), new SidePartitions.Order())
            .rdd();
    if (sorted instanceof ShuffledRDD<?, ?, ?> shuffled) {
      // Java's own, which the job has for its few large objects, would double these small arrays.
      shuffled.setSerializer(new KryoSerializer(spark.getConf()));
    }
    return sorted.toJavaRDD();
  }

  private int tasks(RollupPlan plan) {
    if (verify.tsd() != null) {
      return verify.tsdQueries();
    }
    double records =
        2.0 * plan.estimatedRows() * options.intervals().perRow() * verify.sample().fraction();
    long tasks = (long) Math.ceil(records * RECORD_BYTES / TASK_BYTES);
    return (int) Math.min(MOST_TASKS, Math.max(spark.defaultParallelism(), tasks));
  }
}
