package io.tsdbsuite.stream.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.FlinkCluster;
import io.tsdbsuite.testkit.FlinkJob;
import io.tsdbsuite.testkit.FreePorts;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The jar that users submit, on the processes of Flink's own distribution, which are killed. The
 * checkpoints are on S3.
 */
@Tag("slow")
class ClusterIT {
  /**
   * Of the TaskManager and the JobManager in turn; twenty with {@code -Dstream.cluster.kills=20}.
   */
  private static final int KILLS = Integer.getInteger("stream.cluster.kills", 2);

  private static final String MAIN = "io.tsdbsuite.stream.cli.StreamMain";

  private final Random random = Seed.random();

  @Test
  void everyRollupIsRight() throws Exception {
    JobRun topics = new JobRun("cluster", HourlyPoints.PARTITIONS, "10m", "1h");
    Path directory = StreamStack.directory("flink");
    Path jar = Path.of(System.getProperty("stream.jar"));
    HourlyPoints data =
        new HourlyPoints("cluster", new Points(topics.points(), HourlyPoints.PARTITIONS));
    List<String> arguments = topics.arguments(directory);
    arguments.add("--checkpoint-dir=s3://state/stream");
    // Of both processes on this host the first one takes the first port.
    List<Integer> prometheus = List.of(FreePorts.next(), FreePorts.next());
    S3Server s3 = S3Server.start(directory.resolve("s3"));
    s3.createBucket("state");
    data.begin();
    try (FlinkCluster flink =
        FlinkCluster.in(directory)
            .slots(2)
            .taskHeap(256)
            .plugins(Path.of(System.getenv("FLINK_PLUGINS_DIR")))
            .conf(conf(s3, prometheus))
            .start()) {
      FlinkJob job = flink.submit(jar, MAIN, arguments.toArray(String[]::new));
      job.awaitRunning();
      for (int kill = 0; kill < KILLS; kill++) {
        data.send(kill);
        job.awaitCheckpoint();
        if (kill == 0) {
          StreamMetrics metrics = new StreamMetrics(flink.rest());
          metrics.awaitConsumed(data.sent());
          metrics.check(prometheus);
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(1000));
        if (kill % 2 == 0) {
          long restores = job.restores();
          flink.taskManager(0).kill();
          flink.taskManager(0).start();
          job.awaitRestores(restores + 1);
        } else {
          flink.jobManager().kill();
          flink.jobManager().start();
          List<String> resumed = new ArrayList<>(arguments);
          resumed.add("--from-checkpoint=" + newest(s3));
          job = flink.submit(jar, MAIN, resumed.toArray(String[]::new));
        }
        job.awaitRunning();
      }
      data.send(KILLS);
      data.end();
      Await.until(
          "the end",
          StreamStack.PATIENCE,
          () -> new Output(topics).completeTo("1h") >= HourlyPoints.DAY + 86400);
      // The counts have survived the kills.
      StreamMetrics metrics = new StreamMetrics(flink.rest());
      metrics.awaitConsumed(data.sent());
      // All buckets have ended, but those of the series that move the watermark.
      metrics.awaitSeries(HourlyPoints.PARTITIONS);
      assertThat(job.metric("stream_rollup.missed")).hasValue(0);
      job.cancel();
    } finally {
      s3.stop();
    }
    data.check(topics);
  }

  private static Map<String, String> conf(S3Server s3, List<Integer> prometheus) {
    Map<String, String> conf = new HashMap<>();
    conf.put("restart-strategy.type", "fixed-delay");
    conf.put(
        "metrics.reporter.prom.factory.class",
        "org.apache.flink.metrics.prometheus.PrometheusReporterFactory");
    conf.put("metrics.reporter.prom.port", prometheus.get(0) + "," + prometheus.get(1));
    s3.s3aProperties().forEach((key, value) -> conf.put(key.replace("fs.s3a.", "s3."), value));
    return conf;
  }

  private static String newest(S3Server s3) {
    Path bucket = s3.directory("state");
    Path found = Checkpoints.newest(bucket.resolve("stream")).orElseThrow();
    return "s3://state/" + bucket.relativize(found);
  }
}
