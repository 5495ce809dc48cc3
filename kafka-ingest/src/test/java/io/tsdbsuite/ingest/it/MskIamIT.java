package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.SecuredKafka;
import io.tsdbsuite.testkit.ServerException;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** MSK's IAM with the jar kafka-ingest-msk, on brokers that know the mechanism as MSK's do. */
@Tag("slow")
class MskIamIT {
  private static final Path JAR = Path.of(System.getProperty("msk.jar"));

  private static SecuredKafka kafka;

  @BeforeAll
  static void startKafka() throws IOException {
    kafka = SecuredKafka.start(IngestStack.directory("msk"));
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  /** As kafka-ingest.md has it; the test's brokers have an authority of their own. */
  private static TsdServer start(String group, String listener, List<Path> extraClassPath)
      throws IOException {
    KafkaTopics topics = kafka.server().topics();
    topics.create(group, 1);
    topics.create(group + "-dead", 1);
    topics.create(group + "-published", 1);
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin.groups", group);
    conf.put("KafkaRpcPlugin." + group + ".topics", group);
    conf.put("KafkaRpcPlugin.deadLetterTopic", group + "-dead");
    conf.put("KafkaRpcPlugin.publisher.topic", group + "-published");
    conf.put("tsd.rtpublisher.plugin", "io.tsdbsuite.ingest.KafkaPublisher");
    conf.put("tsd.rtpublisher.enable", "true");
    String settings = "KafkaRpcPlugin.kafka.";
    conf.put(settings + "bootstrap.servers", kafka.bootstrapServers(listener));
    conf.put(settings + "security.protocol", "SASL_SSL");
    conf.put(settings + "sasl.mechanism", "AWS_MSK_IAM");
    conf.put(
        settings + "sasl.jaas.config", "software.amazon.msk.auth.iam.IAMLoginModule required;");
    conf.put(
        settings + "sasl.client.callback.handler.class",
        "software.amazon.msk.auth.iam.IAMClientCallbackHandler");
    conf.put(settings + "ssl.truststore.location", kafka.certificates().trustStore().toString());
    return TsdServer.start(
        IngestStack.directory(group),
        group,
        IngestStack.get().hbase().zkQuorum(),
        IngestStack.conf(conf),
        Stream.concat(Stream.of(IngestStack.jar()), extraClassPath.stream()).toList(),
        List.of(
            "-Daws.accessKeyId=" + SecuredKafka.IAM_KEY_ID,
            "-Daws.secretAccessKey=any",
            "-Daws.region=" + SecuredKafka.IAM_REGION,
            "-Daws.disableEc2Metadata=true"));
  }

  /** Consumer, administration client and producers. */
  @Test
  void storesAndPublishesPoints() throws IOException {
    TsdServer tsd = start("msk-iam", SecuredKafka.IAM, List.of(JAR));
    try {
      kafka
          .server()
          .topics()
          .send(
              Stream.of(
                      "{\"type\":\"Metric\",\"metric\":\"msk.m\",\"timestamp\":1763510401,"
                          + "\"value\":1,\"tags\":{\"a\":\"b\"}}",
                      "no point")
                  .map(text -> text.getBytes(StandardCharsets.UTF_8))
                  .map(bytes -> new ProducerRecord<byte[], byte[]>("msk-iam", bytes))
                  .toList());
      tsd.client().put(List.of(new DataPoint("msk.put", 1763510400L, 1L, Map.of("a", "b"))));
      JsonNode status = IngestStack.awaitCaughtUp(tsd, "msk-iam", 2);
      assertThat(status.get("messages").get("stored").asLong()).isEqualTo(1);
      assertThat(status.get("messages").get("deadLettered").asLong()).isEqualTo(1);
      assertThat(tsd.client().query(QuerySpec.of("msk.m", 1763510400L, 1763510500L))).hasSize(1);
      Await.until(
          "the published point",
          IngestStack.PATIENCE,
          () -> !kafka.server().topics().readAll("msk-iam-published").isEmpty());
      Await.until(
          "readiness",
          IngestStack.PATIENCE,
          () -> IngestStack.status(tsd.client(), "msk-iam").get("notReady").isNull());
    } finally {
      tsd.stop();
    }
  }

  @Test
  void brokersWithoutTheMechanismAreNamed() throws IOException {
    TsdServer tsd = start("msk-refused", SecuredKafka.SCRAM, List.of(JAR));
    try {
      Await.until(
          "the brokers' answer",
          IngestStack.PATIENCE,
          () ->
              IngestStack.status(tsd.client(), "msk-refused")
                  .get("notReady")
                  .asText()
                  .contains("Client SASL mechanism 'AWS_MSK_IAM' not enabled in the server"));
    } finally {
      tsd.stop();
    }
  }

  @Test
  void withoutTheJarTheTsdDoesNotStart() {
    assertThatThrownBy(() -> start("msk-without", SecuredKafka.IAM, List.of()))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("needs kafka-ingest-msk-VERSION-tsd.jar");
  }
}
