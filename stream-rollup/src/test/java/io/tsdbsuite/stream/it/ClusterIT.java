package io.tsdbsuite.stream.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.FlinkCluster;
import io.tsdbsuite.testkit.FlinkJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The jar that users submit, on the processes of Flink's own distribution, which are killed. */
class ClusterIT {
  private static final String MAIN = "io.tsdbsuite.stream.cli.StreamMain";

  @Test
  void everyRollupIsRight() throws Exception {
    JobRun topics = new JobRun("cluster", HourlyPoints.PARTITIONS, "10m", "1h");
    Path directory = StreamStack.directory("flink");
    Path jar = Path.of(System.getProperty("stream.jar"));
    HourlyPoints data =
        new HourlyPoints("cluster", new Points(topics.points(), HourlyPoints.PARTITIONS));
    String[] arguments = arguments(directory, topics);
    try (FlinkCluster flink =
        FlinkCluster.in(directory)
            .slots(2)
            .taskHeap(256)
            .conf(Map.of("restart-strategy.type", "fixed-delay"))
            .start()) {
      FlinkJob job = flink.submit(jar, MAIN, arguments);
      job.awaitRunning();
      data.send(0);
      job.awaitCheckpoint();
      data.send(1);
      flink.taskManager(0).kill();
      flink.taskManager(0).start();
      job.awaitRestores(1);
      job.awaitRunning();
      data.send(2);
      job.awaitCheckpoint();
      flink.jobManager().kill();
      flink.jobManager().start();
      job = flink.resume(job.latestCheckpoint(), jar, MAIN, arguments);
      job.awaitRunning();
      data.send(3);
      data.end();
      Await.until(
          "the end",
          StreamStack.PATIENCE,
          () -> new Output(topics).completeTo("1h") >= HourlyPoints.DAY + 86400);
      job.cancel();
    }
    data.check(topics);
    assertThat(new Output(topics).rollups("cluster").get("1h")).isNotEmpty();
  }

  private static String[] arguments(Path directory, JobRun topics) throws Exception {
    Path rollups =
        Files.writeString(directory.resolve("rollup_config.json"), StreamStack.ROLLUP_CONFIG);
    Path conf =
        Files.writeString(
            directory.resolve("opentsdb.conf"), "tsd.rollups.config = " + rollups + "\n");
    return new ArrayList<>(
            List.of(
                "--tsd-config=" + conf,
                "--interval=10m,1h",
                "--kafka-bootstrap=" + StreamStack.get().kafka().bootstrapServers(),
                "--input-topics=" + topics.points(),
                "--rollup-topic=" + topics.rollups(),
                "--request-topic=" + topics.requests(),
                "--watermark-topic=" + topics.watermarks(),
                "--checkpoint-dir=" + directory.resolve("checkpoints").toUri(),
                "--start-from=EARLIEST",
                "--checkpoint-interval=1s",
                "--parallelism=2"))
        .toArray(String[]::new);
  }
}
