package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.input.InputUnit;
import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.run.BelowFloors;
import io.tsdbsuite.bulk.run.CoverageMasks;
import io.tsdbsuite.bulk.run.LateRanges;
import io.tsdbsuite.bulk.run.LoadInput;
import io.tsdbsuite.bulk.run.OldestPoint;
import io.tsdbsuite.bulk.run.Repeats;
import io.tsdbsuite.bulk.run.Requirements;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.bulk.write.BulkLoad;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.BroadcastRelease;
import io.tsdbsuite.job.spark.JavaBytes;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * The steps of a load, each with a Spark job over other partitions of the same shuffle: the books,
 * which need all of the input; the regions; the series.
 */
final class SparkSteps {
  private static final int MOST_SERIES_PARTITIONS = 1000;
  private static final long DAY_SECONDS = 86_400;

  /** Rejects that a report shows. */
  private static final int SAMPLES = 20;

  private final JavaSparkContext spark;
  private final LoadPlan plan;
  private final TableFacts table;
  private final Requirements requirements;
  private final TsdHBase hbase;
  private final LoadInput input;
  private final Clock clock;
  private final BulkLoaderReport report;
  private final Configuration configuration;
  private final ShufflePartitions partitions;

  SparkSteps(
      JavaSparkContext spark,
      LoadPlan plan,
      TableFacts table,
      Requirements requirements,
      TsdHBase hbase,
      LoadInput input,
      Clock clock,
      BulkLoaderReport report) {
    this.spark = spark;
    this.plan = plan;
    this.table = table;
    this.requirements = requirements;
    this.hbase = hbase;
    this.input = input;
    this.clock = clock;
    this.report = report;
    this.configuration = requirements.configuration();
    int series = Math.max(1, Math.min(MOST_SERIES_PARTITIONS, spark.defaultParallelism()));
    this.partitions = new ShufflePartitions(table.regions(), plan.write().meta() ? series : 0);
  }

  /**
   * Loads.
   *
   * @throws JobException when the load ends without being done
   */
  void run() {
    RejectDir rejects = new RejectDir(plan.rejectDir(), configuration);
    Broadcast<SerializableConfiguration> conf =
        spark.broadcast(new SerializableConfiguration(configuration));
    try (HFileDir dir = BulkLoad.directory(configuration, plan.write().hfileDir(), plan.runId())) {
      SparkJobs jobs = new SparkJobs(spark, shuffled(conf), plan.runId());
      try {
        steps(jobs, conf, dir, rejects);
      } catch (IOException | RuntimeException e) {
        cleanUpAfter(e, dir, rejects);
        throw e;
      }
      cleanUp(dir, rejects);
    } catch (IOException e) {
      throw JobException.outside(
          "HFiles in " + plan.write().hfileDir() + ": " + StorageFailures.reason(e), e);
    } finally {
      BroadcastRelease.release(conf);
    }
  }

  /** Removes files of abandoned task attempts, and files that were replaced. */
  private static void cleanUp(HFileDir dir, RejectDir rejects) throws IOException {
    dir.discard();
    rejects.keep(List.of());
    dir.remove();
  }

  private static void cleanUpAfter(Exception failure, HFileDir dir, RejectDir rejects) {
    try {
      cleanUp(dir, rejects);
    } catch (IOException | JobException e) {
      // The earlier failure is reported.
      failure.addSuppressed(e);
    }
  }

  private JavaPairRDD<byte[], byte[]> shuffled(Broadcast<SerializableConfiguration> conf) {
    List<byte[]> units = new ArrayList<>(input.units().size());
    for (InputUnit unit : input.units()) {
      units.add(UnitCodec.write(unit, input.formats()));
    }
    return spark
        .parallelize(units, units.size())
        .flatMapToPair(new UnitTask(plan, conf, SAMPLES))
        .repartitionAndSortWithinPartitions(partitions, ShuffleKey.ORDER);
  }

  private void steps(
      SparkJobs jobs, Broadcast<SerializableConfiguration> conf, HFileDir dir, RejectDir rejects)
      throws IOException {
    List<UnitResult> read = new ArrayList<>();
    report.timed("read", clock, () -> read.add(read(jobs, rejects)));
    List<String> files = hfiles(jobs, conf);
    try (CoverageMasks masks =
        CoverageMasks.of(
            hbase,
            plan.write(),
            table,
            read.get(0).metrics(),
            read.get(0).tally().days().keySet(),
            clock,
            report)) {
      masks.write();
      // Who raises a floor then looks for masks before a row goes.
      SortedMap<Integer, Long> days = read.get(0).tally().days();
      if (!days.isEmpty()) {
        BelowFloors.read(hbase, plan.write(), clock.millis())
            .requireSame(plan.floors(), days.firstKey() * DAY_SECONDS);
      }
      report.timed(
          "bulkLoad", clock, () -> new BulkLoad(configuration, table.name()).load(dir, files));
    }
    if (plan.write().meta()) {
      report.timed("meta", clock, () -> meta(jobs, conf));
    }
  }

  /**
   * Reads all input, and decides by the result whether the load continues.
   *
   * @throws JobException when the input, or a part of it, must not be loaded
   */
  private UnitResult read(SparkJobs jobs, RejectDir rejects) {
    List<UnitResult> answer = new ArrayList<>();
    jobs.run(
        List.of(partitions.books()),
        "read " + input.units().size() + " units of input",
        new UnitResult.Sum(SAMPLES),
        bytes -> answer.add(JavaBytes.read(bytes, UnitResult.class)));
    UnitResult all = answer.get(0);
    report.tally(all.tally());
    for (UidKind kind : UidKind.values()) {
      report.uids(kind.qualifier(), all.uids().getOrDefault(kind, 0L));
    }
    report.rejects(
        all.samples(), all.rejectFiles().isEmpty() ? List.of() : List.of(rejects.toString()));
    rejects.keep(all.rejectFiles());
    requireGood(all, rejects);
    report.metrics(all.metrics());
    report.warnIfEmpty(all.tally());
    if (plan.oldest() && all.oldestMillis() != Long.MAX_VALUE) {
      OldestPoint.require(table, requirements.stamps(), all.oldestMillis(), clock.millis(), true);
    }
    all.below().require();
    return all;
  }

  private void requireGood(UnitResult all, RejectDir rejects) {
    Tally tally = all.tally();
    if (plan.limits().isExceeded(all.rejected(), tally.get(Count.POINTS_READ))) {
      throw plan.limits().exceeded(all.rejected(), rejects.toString());
    }
    if (all.failure() != null) {
      throw all.failure().exception(input);
    }
    InfluxContexts contexts = input.formats().contexts();
    contexts.restore(all.influxContexts());
    contexts.requireOne();
    contexts.requireFound(
        tally.get(Count.LINES_OF_OTHER_DATABASE)
            + tally.get(Count.LINES_OF_OTHER_RETENTION_POLICY));
    if (all.units() != input.units().size() || !all.read()) {
      throw JobException.outside(
          "the books of %s of %s units of input arrived"
              .formatted(all.units(), input.units().size()));
    }
  }

  /**
   * Writes the HFiles of all regions. Replaces the HFiles of a region if other writers have changed
   * its rows since.
   *
   * @return names of the files to be loaded
   * @throws JobException when a region must not be loaded, or others write all the time
   */
  private List<String> hfiles(SparkJobs jobs, Broadcast<SerializableConfiguration> conf)
      throws IOException {
    RegionTask task = new RegionTask(plan, conf);
    LateCheck check = new LateCheck(plan, conf, requirements.began());
    Map<Integer, RegionTask.Result> written = new TreeMap<>();
    write(jobs, task, IntStream.range(0, partitions.regions()).boxed().toList(), written);
    Repeats repeats = new Repeats("start the load again");
    for (SortedMap<Integer, String> late = late(check, written);
        !late.isEmpty();
        late = late(check, written)) {
      String why = LateRanges.why(late.values().iterator().next());
      repeats.next(why);
      // Files of the first task of a region are removed at the end.
      write(jobs, task, List.copyOf(late.keySet()), written);
      report.warn(Repeats.warning(why, late.size()));
    }
    List<String> files = new ArrayList<>();
    for (RegionTask.Result result : written.values()) {
      files.addAll(result.files());
      report.tally(result.tally());
    }
    return files;
  }

  private SortedMap<Integer, String> late(LateCheck check, Map<Integer, RegionTask.Result> written)
      throws IOException {
    SortedMap<Integer, String> found = new TreeMap<>();
    report.timed("lookAgain", clock, () -> found.putAll(check.find(spark, written.values())));
    return found;
  }

  private void write(
      SparkJobs jobs,
      RegionTask task,
      List<Integer> regions,
      Map<Integer, RegionTask.Result> written)
      throws IOException {
    report.timed(
        "write",
        clock,
        () ->
            jobs.run(
                regions,
                "write HFiles for " + regions.size() + " regions",
                task,
                bytes -> {
                  RegionTask.Result result = JavaBytes.read(bytes, RegionTask.Result.class);
                  written.put(result.region(), result);
                  return result.failure() == null;
                }));
    for (RegionTask.Result result : written.values()) {
      if (result.failure() != null) {
        throw result.failure().exception(input);
      }
    }
  }

  private void meta(SparkJobs jobs, Broadcast<SerializableConfiguration> conf) {
    jobs.run(
        IntStream.range(partitions.regions(), partitions.books()).boxed().toList(),
        "write rows of " + plan.schema().metaTable(),
        new SeriesTask(plan, conf),
        bytes -> true);
  }
}
