package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.FreePorts;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.ServerException;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.TsdServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What happens when something is wrong before the first message. */
class WrongUseIT {
  private static Map<String, String> group(String name, String topic) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin.groups", name);
    conf.put("KafkaRpcPlugin." + name + ".topics", topic);
    conf.put("KafkaRpcPlugin.deadLetterTopic", "wrong-use-dead");
    return conf;
  }

  @Test
  void aWrongConfigurationStopsTheStartWithAllProblems() {
    Map<String, String> conf = group("wrong", "");
    conf.put("KafkaRpcPlugin.wrong.rate", "-1");
    conf.put("tsd.core.enable_ui", "true");
    conf.put("KafkaRpcPlugin.wrong.topisc", "t");
    conf.put("KafkaRpcPlugin.kafka.zookeeper.connect", "zk:2181");
    assertThatThrownBy(() -> IngestStack.tsd("wrong", conf))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("tsd.core.enable_ui is not false")
        .hasMessageContaining("KafkaRpcPlugin.wrong.topics must name at least one topic")
        .hasMessageContaining("KafkaRpcPlugin.wrong.rate must be points per second")
        .hasMessageContaining("found -1")
        .hasMessageContaining("KafkaRpcPlugin.wrong.topisc is not a key of kafka-ingest")
        .hasMessageContaining("KafkaRpcPlugin.kafka.zookeeper.connect must not be set");
  }

  @Test
  void aTopicThatDoesNotExistIsNamedAndTakenUpOnceItDoes() {
    KafkaTopics topics = new KafkaTopics(IngestStack.get().kafka().bootstrapServers());
    Map<String, String> conf = group("late", "late-topic");
    conf.put("KafkaRpcPlugin.deadLetterTopic", "late-dead");
    conf.put("KafkaRpcPlugin.kafka.metadata.max.age.ms", "500");
    TsdServer tsd = IngestStack.tsd("late", conf);
    try {
      Await.until(
          "the missing topic to be named",
          IngestStack.PATIENCE,
          () ->
              IngestStack.status(tsd.client(), "late")
                  .get("notReady")
                  .asText()
                  .equals("topics that do not exist: [late-dead, late-topic]"));
      assertThatThrownBy(() -> tsd.client().get("plugin/kafka-ingest/ready"))
          .isInstanceOf(TsdException.class)
          .hasMessageContaining("503");
      topics.create("late-topic", 1);
      topics.send(
          List.of(
              new ProducerRecord<>(
                  "late-topic",
                  "{\"type\":\"Metric\",\"metric\":\"late.m\",\"timestamp\":1763510401,\"value\":1,\"tags\":{\"a\":\"b\"}}"
                      .getBytes(StandardCharsets.UTF_8))));
      JsonNode status = IngestStack.awaitCaughtUp(tsd, "late", 1);
      assertThat(status.get("messages").get("stored").asLong()).isEqualTo(1);
      // A message that cannot be stored would stop its partition. Readers look for topics at times
      // of their own.
      Await.until(
          "the topic that is still missing to be named",
          IngestStack.PATIENCE,
          () ->
              IngestStack.status(tsd.client(), "late")
                  .get("notReady")
                  .asText()
                  .equals("topics that do not exist: [late-dead]"));
      topics.create("late-dead", 1);
      Await.until(
          "readiness",
          IngestStack.PATIENCE,
          () -> IngestStack.status(tsd.client(), "late").get("notReady").isNull());
      assertThat(tsd.client().get("plugin/kafka-ingest/ready").get("ready").asBoolean()).isTrue();
    } finally {
      tsd.stop();
    }
  }

  /** After up to 30 s, which LagMeterTest skips; {@code make test-all} runs it. */
  @Test
  @Tag("slow")
  void aTopicThatWasDeletedIsNamed() {
    KafkaTopics topics = new KafkaTopics(IngestStack.get().kafka().bootstrapServers());
    topics.create("deleted-topic", 1);
    topics.create("deleted-dead", 1);
    Map<String, String> conf = group("deleted", "deleted-topic");
    conf.put("KafkaRpcPlugin.deadLetterTopic", "deleted-dead");
    conf.put("KafkaRpcPlugin.kafka.metadata.max.age.ms", "500");
    TsdServer tsd = IngestStack.tsd("deleted", conf);
    try {
      Await.until(
          "readiness",
          IngestStack.PATIENCE,
          () -> IngestStack.status(tsd.client(), "deleted").get("notReady").isNull());
      topics.delete("deleted-topic");
      Await.until(
          "the deleted topic to be named",
          IngestStack.PATIENCE,
          () ->
              IngestStack.status(tsd.client(), "deleted")
                  .get("notReady")
                  .asText()
                  .contains("topics that do not exist: [deleted-topic]"));
    } finally {
      tsd.stop();
    }
  }

  @Test
  void withoutKafkaTheTsdServesAndIsNotReady() {
    Map<String, String> conf = group("nokafka", "t");
    conf.put("KafkaRpcPlugin.kafka.bootstrap.servers", "127.0.0.1:" + FreePorts.next());
    TsdServer tsd = IngestStack.tsd("nokafka", conf);
    try {
      tsd.client().put(List.of(new DataPoint("nokafka.m", 1763510400L, 1L, Map.of("a", "b"))));
      assertThat(tsd.client().query(QuerySpec.of("nokafka.m", 1763510400L, 1763510500L)))
          .hasSize(1);
      assertThatThrownBy(() -> tsd.client().get("plugin/kafka-ingest/ready"))
          .isInstanceOf(TsdException.class)
          .hasMessageContaining("has not joined the group yet");
      assertThatThrownBy(() -> tsd.client().get("plugin/kafka-ingest/nothing"))
          .isInstanceOf(TsdException.class)
          .hasMessageContaining("the endpoints are status, metrics, ready, lag, rate, version");
    } finally {
      tsd.stop();
    }
  }
}
