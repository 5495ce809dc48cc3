package io.tsdbsuite.stream.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.testkit.FlinkCluster;
import io.tsdbsuite.testkit.FlinkJob;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.SecuredKafka;
import io.tsdbsuite.testkit.ServerException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * AWS's library for MSK's IAM beside the job's jar, as stream-rollup-deploy.md has it, on brokers
 * that know the mechanism as MSK's do.
 */
@Tag("slow")
class MskIamIT {
  private static final String MAIN = "io.tsdbsuite.stream.cli.StreamMain";

  @Test
  void readsWithTheLibraryOnTheJobsClassPath() throws Exception {
    Path directory = StreamStack.directory("msk");
    Path jar = Path.of(System.getProperty("stream.jar"));
    List<String> library =
        List.of("-C", Path.of(System.getProperty("msk.iam.jar")).toUri().toString());
    try (SecuredKafka kafka = SecuredKafka.start(directory.resolve("kafka"));
        FlinkCluster flink =
            FlinkCluster.in(directory.resolve("flink"))
                .taskHeap(256)
                .jvmFlags(
                    List.of(
                        "-Daws.accessKeyId=" + SecuredKafka.IAM_KEY_ID,
                        "-Daws.secretAccessKey=any",
                        "-Daws.region=" + SecuredKafka.IAM_REGION,
                        "-Daws.disableEc2Metadata=true"))
                .start()) {
      KafkaTopics topics = kafka.server().topics();
      for (String topic : List.of("points", "rollups", "requests", "watermarks")) {
        topics.create(topic, 1);
      }
      String point =
          "{\"type\":\"Metric\",\"metric\":\"msk.m\",\"timestamp\":1763510401,\"value\":1,"
              + "\"tags\":{\"a\":\"b\"}}";
      topics.send(List.of(new ProducerRecord<>("points", point.getBytes(UTF_8))));
      String[] arguments = arguments(directory, kafka, SecuredKafka.IAM);
      assertThatThrownBy(() -> flink.submit(jar, MAIN, arguments))
          .isInstanceOf(ServerException.class)
          .hasMessageContaining("software.amazon.msk.auth.iam.IAMClientCallbackHandler");
      String[] refused = arguments(directory, kafka, SecuredKafka.SCRAM);
      assertThatThrownBy(() -> flink.submit(library, jar, MAIN, refused))
          .isInstanceOf(ServerException.class)
          .hasMessageContaining("Client SASL mechanism 'AWS_MSK_IAM' not enabled in the server");
      FlinkJob job = flink.submit(library, jar, MAIN, arguments);
      job.awaitRunning();
      new StreamMetrics(flink.rest()).awaitConsumed(1);
      job.awaitCheckpoint();
      job.cancel();
    }
  }

  private static String[] arguments(Path directory, SecuredKafka kafka, String listener)
      throws Exception {
    Path rollups =
        Files.writeString(directory.resolve("rollup_config.json"), StreamStack.ROLLUP_CONFIG);
    Path conf =
        Files.writeString(
            directory.resolve("opentsdb.conf"), "tsd.rollups.config = " + rollups + "\n");
    Path properties =
        Files.writeString(
            directory.resolve("kafka.properties"),
            """
            security.protocol=SASL_SSL
            sasl.mechanism=AWS_MSK_IAM
            sasl.jaas.config=software.amazon.msk.auth.iam.IAMLoginModule required;
            sasl.client.callback.handler.class=software.amazon.msk.auth.iam.IAMClientCallbackHandler
            ssl.truststore.location=%s
            """
                .formatted(kafka.certificates().trustStore()));
    return new String[] {
      "--tsd-config=" + conf,
      "--interval=1h",
      "--kafka-config=" + properties,
      "--kafka-bootstrap=" + kafka.bootstrapServers(listener),
      "--input-topics=points",
      "--rollup-topic=rollups",
      "--request-topic=requests",
      "--watermark-topic=watermarks",
      "--start-from=EARLIEST",
      "--checkpoint-interval=1s",
      "--checkpoint-dir=" + directory.resolve("checkpoints").toUri(),
      "--parallelism=1",
      "--state=HEAP"
    };
  }
}
