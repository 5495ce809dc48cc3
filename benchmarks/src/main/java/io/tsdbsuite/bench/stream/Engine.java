package io.tsdbsuite.bench.stream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A way to roll up points from Kafka.
 *
 * @param name in tables
 * @param flags further flags of its JVM
 * @param classPath of its JVM
 * @param job main class and arguments that start its job with one task or thread
 */
record Engine(String name, List<String> flags, String classPath, Job job) {
  /** Intervals of 10 minutes, an hour and a day. */
  private static final String ROLLUP_CONFIG =
      """
      {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4},
       "intervals": [
        {"table": "tsdb", "preAggregationTable": "tsdb-preagg", "interval": "1m",
         "rowSpan": "1h", "defaultInterval": true},
        {"table": "tsdb-rollup-10m", "preAggregationTable": "tsdb-rollup-agg-10m",
         "interval": "10m", "rowSpan": "1d"},
        {"table": "tsdb-rollup-1h", "preAggregationTable": "tsdb-rollup-agg-1h",
         "interval": "1h", "rowSpan": "1d"},
        {"table": "tsdb-rollup-1d", "preAggregationTable": "tsdb-rollup-agg-1d",
         "interval": "1d", "rowSpan": "1y"}]}
      """;

  /** Makes the arguments of a run. */
  @FunctionalInterface
  interface Job {
    List<String> arguments(Run run) throws IOException;
  }

  /**
   * Topics and files of one run.
   *
   * @param name unique name, part of all topics and groups
   * @param bootstrapServers the broker
   * @param dir files
   */
  record Run(String name, String bootstrapServers, Path dir) {
    /** Topic of the points. */
    String points() {
      return name + "-points";
    }

    /** Topic of the rollups. */
    String rollups() {
      return name + "-rollups";
    }

    /** Topics of stream-rollup's requests and watermarks. */
    List<String> others() {
      return List.of(name + "-requests", name + "-watermarks");
    }

    /** Checkpoints of stream-rollup. */
    Path checkpoints() {
      return dir.resolve("checkpoints");
    }
  }

  /**
   * {@code stream-rollup --local} with its defaults: heap state, a checkpoint every minute.
   *
   * @param classPath the module's classes and what a Flink cluster brings
   */
  static Engine suite(List<String> flags, String classPath) {
    return new Engine("stream-rollup", flags, classPath, Engine::suite);
  }

  private static List<String> suite(Run run) throws IOException {
    Path rollups = Files.writeString(run.dir().resolve("rollup_config.json"), ROLLUP_CONFIG);
    Path conf =
        Files.writeString(
            run.dir().resolve("opentsdb.conf"), "tsd.rollups.config = " + rollups + "\n");
    return List.of(
        "io.tsdbsuite.stream.cli.StreamMain",
        "--local",
        "--tsd-config=" + conf,
        "--interval=10m,1h,1d",
        "--kafka-bootstrap=" + run.bootstrapServers(),
        "--input-topics=" + run.points(),
        "--rollup-topic=" + run.rollups(),
        "--request-topic=" + run.others().get(0),
        "--watermark-topic=" + run.others().get(1),
        "--group=" + run.name(),
        "--start-from=EARLIEST",
        "--parallelism=1",
        "--checkpoint-dir=" + run.checkpoints().toUri());
  }

  /**
   * {@link DslMain} with the defaults of Kafka Streams.
   *
   * @param classPath the benchmarks' own
   */
  static Engine dsl(List<String> flags, String classPath) {
    return new Engine(
        "Kafka Streams DSL",
        flags,
        classPath,
        run ->
            List.of(
                DslMain.class.getName(),
                run.bootstrapServers(),
                run.name(),
                run.points(),
                run.rollups(),
                run.dir().resolve("state").toString()));
  }

  /**
   * Arguments of java that start the job.
   *
   * @param heap for example 4g
   */
  List<String> arguments(Run run, String heap) throws IOException {
    List<String> arguments = new ArrayList<>(flags);
    arguments.addAll(
        List.of(
            // As Flink's scripts start a TaskManager.
            "-Xms" + heap,
            "-Xmx" + heap,
            "-Djava.io.tmpdir=" + Files.createDirectories(run.dir().resolve("tmp")),
            // What Flink's own scripts open on Java 17.
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "-cp",
            classPath));
    arguments.addAll(job.arguments(run));
    return arguments;
  }
}
