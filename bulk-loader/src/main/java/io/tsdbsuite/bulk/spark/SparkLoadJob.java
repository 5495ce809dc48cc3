package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.input.InputFile;
import io.tsdbsuite.bulk.input.InputUnits;
import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.run.ActiveHours;
import io.tsdbsuite.bulk.run.BelowFloors;
import io.tsdbsuite.bulk.run.LoadInput;
import io.tsdbsuite.bulk.run.OldestPoint;
import io.tsdbsuite.bulk.run.Requirements;
import io.tsdbsuite.bulk.settings.SparkSettings;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.job.JobException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** The driver of a load: its checks, the order of its tasks, and the report. */
final class SparkLoadJob {
  private static final long MOST_UNIT = 512L << 20;
  private static final long LEAST_UNIT = 16L << 20;
  private static final int UNITS_PER_CORE = 4;

  private final SparkSettings settings;
  private final JavaSparkContext spark;
  private final Clock clock;

  SparkLoadJob(SparkSettings settings, JavaSparkContext spark, Clock clock) {
    this.settings = settings;
    this.spark = spark;
    this.clock = clock;
  }

  /**
   * Loads.
   *
   * @throws JobException when it cannot begin; all later failures are in the report
   */
  BulkLoaderReport run() {
    Instant began = clock.instant();
    Requirements requirements =
        Requirements.of(settings.tsd(), settings.write(), began, spark.hadoopConfiguration());
    LoadInput input =
        LoadInput.find(
            settings.input(),
            requirements.configuration(),
            InputStream.nullInputStream(),
            (files, ofLines) -> {
              long bytes = files.stream().mapToLong(InputFile::size).sum();
              long unit = unitBytes(bytes);
              // In parallel: the division into units asks each of them for its compression.
              LoadInput.lookAt(
                  files.stream().filter(file -> file.size() > unit).toList(),
                  InputFile::compression);
              return InputUnits.plan(files, ofLines, unit);
            });
    try (TsdHBase hbase = requirements.connect()) {
      TableFacts table = requirements.table(hbase);
      String unused = requirements.rowKeys(hbase, table);
      String unusedToo = requirements.coverage(hbase);
      BelowFloors below = BelowFloors.read(hbase, settings.write(), clock.millis());
      LoadPlan plan = plan(requirements, table, below.floors());
      BulkLoaderReport report =
          new BulkLoaderReport("spark-load", began)
              .inputs(input.summaries())
              .writing("hfile", requirements.stamps().toString());
      if (!input.warning().isEmpty()) {
        report.warn(input.warning());
      }
      table.warnings().forEach(report::warn);
      JobException failure = null;
      try {
        new SparkSteps(spark, plan, table, requirements, hbase, input, clock, report).run();
      } catch (LinkageError e) {
        failure = SparkFailures.of(e);
      } catch (Throwable e) {
        failure = SparkFailures.RULES.ofDriver(e, spark.sc().isStopped());
      } finally {
        ExecutorHBase.close(plan.runId());
      }
      return report.closed(failure, clock.instant());
    }
  }

  private long unitBytes(long bytes) {
    if (settings.unitBytes() != SparkSettings.BY_CLUSTER) {
      return settings.unitBytes();
    }
    long share = bytes / ((long) spark.defaultParallelism() * UNITS_PER_CORE);
    return Math.min(MOST_UNIT, Math.max(LEAST_UNIT, share));
  }

  private LoadPlan plan(Requirements requirements, TableFacts table, List<CoverageFloor> floors) {
    String runId = Requirements.runId(requirements.began());
    String rejects =
        settings.rejectDir() == null
            ? settings.write().hfileDir() + "/_rejected"
            : settings.rejectDir();
    return new LoadPlan(
        runId,
        settings.tsd().config(),
        settings.tsd().schema(),
        requirements.address(),
        settings.input().options(),
        settings.input().influxChoice(),
        settings.input().limits(),
        settings.write(),
        requirements.stamps().text(),
        ActiveHours.refusedFrom(settings.write(), requirements.began()),
        OldestPoint.matters(table, requirements.stamps()),
        floors,
        rejects + "/" + runId,
        slots());
  }

  private int slots() {
    SparkConf conf = spark.getConf();
    int cpus = conf.getInt("spark.task.cpus", 1);
    if (spark.isLocal()) {
      return spark.defaultParallelism();
    }
    if (conf.contains("spark.executor.cores")) {
      return Math.max(1, conf.getInt("spark.executor.cores", 1) / cpus);
    }
    String master = spark.master();
    // Elsewhere an executor takes all cores that it finds.
    return master.startsWith("yarn") || master.startsWith("k8s") ? 1 : 0;
  }
}
