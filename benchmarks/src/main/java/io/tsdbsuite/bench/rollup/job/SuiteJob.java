package io.tsdbsuite.bench.rollup.job;

import io.tsdbsuite.coverage.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.input.AsOf;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.input.Tolerance;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.job.RollupJob;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.sink.KafkaSinkFactory;
import io.tsdbsuite.rollup.sink.KafkaSinkOptions;
import io.tsdbsuite.rollup.sink.SinkFactory;
import io.tsdbsuite.rollup.uid.UidSettings;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;

/** Runs the job as its command line does, completely or in part. */
final class SuiteJob {
  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4},
           "intervals": [
            {"table": "tsdb", "preAggregationTable": "agg", "interval": "1s",
             "rowSpan": "1h", "defaultInterval": true},
            {"table": "1m", "preAggregationTable": "agg-1m", "interval": "1m", "rowSpan": "1d"},
            {"table": "10m", "preAggregationTable": "agg-10m", "interval": "10m", "rowSpan": "1d"},
            {"table": "1h", "preAggregationTable": "agg-1h", "interval": "1h", "rowSpan": "1d"},
            {"table": "1d", "preAggregationTable": "agg-1d", "interval": "1d", "rowSpan": "1y"}]}
          """);

  /** The job's option among the properties of the producer. */
  private static final String ROLLUPS_PER_MESSAGE = "rollups.per.message";

  private static final long PARTITION_BYTES = 256L << 20;

  private final JavaSparkContext spark;
  private final Settings settings;

  SuiteJob(JavaSparkContext spark, Settings settings) {
    this.spark = spark;
    this.settings = settings;
  }

  /**
   * Runs a variant of the job.
   *
   * @param kafka properties of the producer, and {@link #ROLLUPS_PER_MESSAGE}
   * @throws IllegalStateException when the job failed
   */
  RollupReport run(JobWay way, String snapshot, Map<String, String> kafka) {
    long from = Long.parseLong(settings.get("from"));
    RollupOptions options =
        new RollupOptions(
            settings.get("root"),
            snapshot,
            UidSettings.ofSnapshot(settings.get("uids")),
            schema(snapshot),
            intervals(way == JobWay.INTERVALS ? List.of("1m", "10m", "1h", "1d") : List.of("1h")),
            new Window(from, from + (long) settings.number("hours") * RowKey.ROW_SPAN_SECONDS),
            HoldBack.none(),
            MetricPatterns.all(),
            PARTITION_BYTES,
            Tolerance.NONE,
            null,
            AsOf.SNAPSHOT,
            false);
    RollupReport report =
        new RollupJob(spark, options, sinks(way, kafka), 1, Clock.systemUTC()).run();
    if (report.exitCode() != ExitCode.DONE) {
      throw new IllegalStateException("the job must succeed, found " + report.message());
    }
    return report;
  }

  /** JobServers makes a table of its own for each snapshot. */
  private StorageSchema schema(String snapshot) {
    return StorageSchema.from(
        TsdConfig.parse("")
            .with(StorageSchema.DATA_TABLE, "tsdb-" + snapshot)
            .with(StorageSchema.UID_TABLE, "uid-" + settings.get("uids")));
  }

  private static RollupIntervals intervals(List<String> names) {
    return new RollupIntervals(names.stream().map(CONFIG::interval).toList());
  }

  private SinkFactory sinks(JobWay way, Map<String, String> kafka) {
    Map<String, String> properties = new HashMap<>(kafka);
    String some = properties.remove(ROLLUPS_PER_MESSAGE);
    int rollupsPerMessage = some == null ? 1 : Integer.parseInt(some);
    return switch (way) {
      case READ -> new PartialSink.Factory(false, 0);
      case NAMES -> new PartialSink.Factory(true, 0);
      case ENCODE -> new PartialSink.Factory(true, rollupsPerMessage);
      default ->
          new KafkaSinkFactory(
              new KafkaSinkOptions(settings.get("bootstrap"), settings.get("topic"))
                  .withRollupsPerMessage(rollupsPerMessage)
                  .withProperties(properties));
    };
  }
}
