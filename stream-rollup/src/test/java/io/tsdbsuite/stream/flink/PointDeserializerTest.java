package io.tsdbsuite.stream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.stream.series.SeriesHash;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.util.InstantiationUtil;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class PointDeserializerTest {
  private static final String POINT =
      "{\"type\":\"Metric\",\"metric\":\"m\",\"tags\":{\"a\":\"b\"},\"timestamp\":1600000000,"
          + "\"value\":1}";

  private static List<KafkaPoint.Kind> kinds(MessageLimits limits, String message)
      throws Exception {
    PointDeserializer sent =
        InstantiationUtil.clone(
            new PointDeserializer(0, 0, 60_000, limits, Clock.systemUTC(), SeriesHash.murmur3()));
    sent.open(null);
    List<KafkaPoint> elements = new ArrayList<>();
    sent.deserialize(
        new ConsumerRecord<>("t", 0, 0, null, message.getBytes(StandardCharsets.UTF_8)),
        new ListCollector<>(elements));
    return elements.stream().map(each -> each.kind).toList();
  }

  /** Else it would omit points that kafka-ingest stores. */
  @Test
  void theBoundsOfAMessageAreThoseOfTheOptions() throws Exception {
    String array = "[" + POINT + "," + POINT + "," + POINT + "]";
    assertThat(kinds(MessageLimits.DEFAULT, array)).hasSize(3).containsOnly(KafkaPoint.Kind.POINT);
    assertThat(kinds(new MessageLimits(1_024, 2, 8, 1), array))
        .containsExactly(KafkaPoint.Kind.BAD);
    String large = POINT + " ".repeat(1_024);
    assertThat(kinds(MessageLimits.DEFAULT, large)).containsExactly(KafkaPoint.Kind.POINT);
    assertThat(kinds(new MessageLimits(1_024, 2, 8, 1), large))
        .containsExactly(KafkaPoint.Kind.BAD);
  }

  @Test
  void aValueThatIsNotFiniteIsNoPoint() throws Exception {
    for (String other : List.of("", ",\"unknown\":1")) {
      String point = POINT.substring(0, POINT.length() - 1) + other + "}";
      assertThat(kinds(MessageLimits.DEFAULT, point)).containsExactly(KafkaPoint.Kind.POINT);
      assertThat(kinds(MessageLimits.DEFAULT, point.replace("\"value\":1", "\"value\":1e400")))
          .containsExactly(KafkaPoint.Kind.BAD);
      assertThat(kinds(MessageLimits.DEFAULT, point.replace("\"value\":1", "\"value\":\"NaN\"")))
          .containsExactly(KafkaPoint.Kind.NOT_FINITE);
    }
  }
}
