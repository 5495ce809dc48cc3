package io.tsdbsuite.quickstart.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.quickstart.data.RequestRate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class PointMessagesTest {
  private static final long HOUR = 1763510400;

  @Test
  void hasEveryPointOnceWithItsTimeAndInOrder() throws IOException {
    RequestRate rate = new RequestRate(5);
    List<ProducerRecord<byte[], byte[]>> messages =
        new PointMessages(rate).of(HOUR + 10, HOUR + 2 * 3600 - 20).toList();

    assertThat(messages).hasSize(2 * (720 - 3));
    Map<Integer, Long> last = new HashMap<>();
    Map<String, List<Number>> found = new HashMap<>();
    for (ProducerRecord<byte[], byte[]> message : messages) {
      assertThat(message.timestamp()).isGreaterThan(last.getOrDefault(message.partition(), 0L));
      last.put(message.partition(), message.timestamp());
      for (JsonNode point : new ObjectMapper().readTree(message.value())) {
        assertThat(point.path("type").asText()).isEqualTo("Metric");
        assertThat(point.path("metric").asText()).isEqualTo(RequestRate.METRIC);
        assertThat(point.path("timestamp").asLong() * 1000).isEqualTo(message.timestamp());
        found
            .computeIfAbsent(point.path("tags").toString(), tags -> new ArrayList<>())
            .add(point.path("value").numberValue());
      }
    }
    assertThat(last.keySet()).containsExactly(0, 1);
    assertThat(found).hasSize(5);
    for (int server = 0; server < 5; server++) {
      List<Number> expected = new ArrayList<>(rate.hour(server, HOUR));
      expected.addAll(rate.hour(server, HOUR + 3600));
      List<Number> values = found.get(new ObjectMapper().valueToTree(rate.tags(server)).toString());
      assertThat(values).hasSize(717);
      for (int i = 0; i < values.size(); i++) {
        assertThat(values.get(i).doubleValue()).isEqualTo(expected.get(i + 1).doubleValue());
      }
    }
  }

  @Test
  void noGatewayIsIdle() {
    assertThat(PointMessages.partitions(new RequestRate(1))).isEqualTo(1);
    assertThat(new PointMessages(new RequestRate(1)).of(HOUR, HOUR + 10)).hasSize(1);
  }

  @Test
  void aSinglePointGoesWhereItsSeriesGoes() throws IOException {
    ProducerRecord<byte[], byte[]> message =
        new PointMessages(new RequestRate(3)).single(1, HOUR + 5, 7L, 99);

    assertThat(message.partition()).isEqualTo(1);
    assertThat(message.timestamp()).isEqualTo(99);
    assertThat(new ObjectMapper().readTree(message.value()).toString())
        .isEqualTo(
            "[{\"type\":\"Metric\",\"metric\":\"edge.requests\",\"timestamp\":1763510405,"
                + "\"value\":7,\"tags\":{\"dc\":\"dublin-1\",\"host\":\"edge002\"}}]");
  }
}
