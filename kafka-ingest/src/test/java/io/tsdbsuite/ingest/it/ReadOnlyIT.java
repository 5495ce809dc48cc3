package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.TsdServer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A TSD with {@code tsd.mode = ro} beside one of the same groups that reads and writes. */
class ReadOnlyIT {
  private static final long HOUR = 1763510400L;

  @Test
  void itConsumesNothingAndSaysSo() {
    Map<String, String> conf = new TreeMap<>();
    try (RepairStack writing = new RepairStack("read-only", conf)) {
      conf.put("tsd.mode", "ro");
      conf.put("KafkaRpcPlugin.deadLetterTopic", writing.deadLetters());
      conf.put("KafkaRpcPlugin.groups", writing.group("points"));
      conf.put("KafkaRpcPlugin." + writing.group("points") + ".topics", writing.group("points"));
      TsdServer reading = IngestStack.tsd("read-only-2", conf);
      try {
        JsonNode ready = reading.client().get("plugin/kafka-ingest/ready");
        assertThat(ready.get("ready").asBoolean()).isTrue();
        assertThat(ready.path("readOnly").asText()).contains("tsd.mode is ro");
        assertThat(reading.client().get("plugin/kafka-ingest/status").get("groups")).isEmpty();
        writing.store("points", RepairStack.point("read.only", HOUR + 1, 1));
        assertThat(writing.status("points").at("/messages/stored").asLong()).isOne();
        assertThat(List.of(reading.client().get("plugin/kafka-ingest/lag")))
            .allMatch(JsonNode::isEmpty);
      } finally {
        reading.stop();
      }
    }
  }
}
