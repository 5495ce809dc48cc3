package io.tsdbsuite.bench.stream;

import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code stream-rollup --local} with its defaults: heap state, a checkpoint every minute. */
final class StreamWay implements Way {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Intervals of 10 minutes, an hour and a day. */
  static final String ROLLUP_CONFIG =
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

  private final String classPath;
  private final List<String> flags;

  /**
   * @param classPath the module's classes and what a Flink cluster brings
   * @param flags further flags of its JVM
   */
  StreamWay(String classPath, List<String> flags) {
    this.classPath = classPath;
    this.flags = List.copyOf(flags);
  }

  @Override
  public String name() {
    return "stream-rollup";
  }

  @Override
  public List<String> arguments(Run run, int threads) throws IOException {
    Path rollups = Files.writeString(run.dir().resolve("rollup_config.json"), ROLLUP_CONFIG);
    Path conf =
        Files.writeString(
            run.dir().resolve("opentsdb.conf"), "tsd.rollups.config = " + rollups + "\n");
    Path temporary = Files.createDirectories(run.dir().resolve("tmp"));
    List<String> arguments = new ArrayList<>(flags);
    arguments.addAll(
        List.of(
            // As Flink's scripts start a TaskManager.
            "-Xms" + run.heap(),
            "-Xmx" + run.heap(),
            "-Djava.io.tmpdir=" + temporary,
            // What Flink's own scripts open on Java 17.
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "-cp",
            classPath,
            "io.tsdbsuite.stream.cli.StreamMain",
            "--local",
            "--tsd-config=" + conf,
            "--interval=10m,1h,1d",
            "--kafka-bootstrap=" + run.bootstrapServers(),
            "--input-topics=" + run.points(),
            "--rollup-topic=" + run.rollups(),
            "--request-topic=" + run.requests(),
            "--watermark-topic=" + run.watermarks(),
            "--group=" + run.name(),
            "--start-from=EARLIEST",
            "--parallelism=" + threads,
            "--checkpoint-dir=" + run.dir().resolve("checkpoints").toUri()));
    Optional<Path> checkpoint = checkpoints(run).newest();
    checkpoint.ifPresent(found -> arguments.add("--from-checkpoint=" + found.toUri()));
    return arguments;
  }

  /** The checkpoints of its job. */
  static Checkpoints checkpoints(Run run) {
    return new Checkpoints(run.dir().resolve("checkpoints"));
  }

  @Override
  public long stateBytes(Run run) throws IOException {
    Optional<Path> newest = checkpoints(run).newest();
    return newest.isPresent() ? Checkpoints.bytes(newest.get()) : 0;
  }

  @Override
  public boolean isChangelog(Run run, String topic) {
    return false;
  }

  @Override
  public void awaitSaved(Run run, boolean isQuiet) throws IOException {
    @Nullable Path before = checkpoints(run).newest().orElse(null);
    Await.until(
        "a checkpoint",
        PATIENCE,
        () -> checkpoints(run).newest().filter(newest -> !newest.equals(before)).isPresent());
  }
}
