package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.KafkaVersion;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.TsdServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The oldest and the newest brokers that the plugin is said to work with. */
@Tag("slow")
class BrokerVersionsIT {
  private static final long HOUR = 1763510400L;
  private static final int GOOD = 500;

  @ParameterizedTest
  @EnumSource(names = {"V2_8", "V4_3"})
  void storesCommitsAndSendsDeadLetters(KafkaVersion version) throws Exception {
    String name = version.name().toLowerCase(Locale.ROOT).replace('_', '-');
    try (KafkaServer kafka =
        KafkaServer.start(IngestStack.directory("kafka-" + name), Map.of(), version)) {
      KafkaTopics topics = kafka.topics();
      topics.create("points", 2);
      topics.create("dead", 1);
      Map<String, String> conf = new TreeMap<>();
      conf.put("KafkaRpcPlugin.kafka.bootstrap.servers", kafka.bootstrapServers());
      conf.put("KafkaRpcPlugin.groups", "g");
      conf.put("KafkaRpcPlugin.g.topics", "points");
      conf.put("KafkaRpcPlugin.deadLetterTopic", "dead");
      TsdServer tsd = IngestStack.tsd("broker-" + name, conf);
      topics.send(records("broker." + name));
      JsonNode status = IngestStack.awaitCaughtUp(tsd, "g", GOOD + 1);
      assertThat(status.get("messages").get("stored").asLong()).isEqualTo(GOOD);
      assertThat(
              tsd.client().query(QuerySpec.of("broker." + name, HOUR, HOUR + 3598)).get(0).points())
          .hasSize(GOOD);
      tsd.stop();
      assertThat(topics.readAll("dead")).hasSize(1);
      assertThat(topics.lag("g", "points")).isZero();
    }
  }

  private static List<ProducerRecord<byte[], byte[]>> records(String metric) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    records.add(new ProducerRecord<>("points", 0, null, "poison".getBytes(StandardCharsets.UTF_8)));
    for (int i = 0; i < GOOD; i++) {
      String json =
          String.format(
              Locale.ROOT,
              "{\"type\":\"Metric\",\"metric\":\"%s\",\"timestamp\":%d,\"value\":%d,"
                  + "\"tags\":{\"a\":\"b\"}}",
              metric,
              HOUR + i,
              i);
      records.add(
          new ProducerRecord<>("points", i % 2, null, json.getBytes(StandardCharsets.UTF_8)));
    }
    return records;
  }
}
