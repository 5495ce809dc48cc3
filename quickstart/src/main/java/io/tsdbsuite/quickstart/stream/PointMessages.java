package io.tsdbsuite.quickstart.stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.quickstart.data.RequestRate;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * {@link RequestRate} as messages of the type {@code Metric}. Every ten seconds each of two
 * gateways sends one array with the points of its servers, stamped with their time, to its own
 * partition of the topic.
 *
 * @param rate the points
 */
public record PointMessages(RequestRate rate) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int GATEWAYS = 2;
  private static final long MILLIS = 1000;
  private static final int HOUR = 3600;

  /**
   * Number of gateways, each of which has a server: an idle partition would hold stream-rollup
   * back.
   */
  public static int partitions(RequestRate rate) {
    return Math.min(GATEWAYS, rate.series());
  }

  /**
   * The messages of a range, in the order of time.
   *
   * @param from first second, since the epoch
   * @param to last second, exclusive
   */
  Stream<ProducerRecord<byte[], byte[]>> of(long from, long to) {
    return LongStream.iterate(from - from % HOUR, hour -> hour < to, hour -> hour + HOUR)
        .boxed()
        .flatMap(hour -> ofHour(hour, from, to));
  }

  private Stream<ProducerRecord<byte[], byte[]>> ofHour(long hour, long from, long to) {
    List<List<Number>> values =
        IntStream.range(0, rate.series()).mapToObj(server -> rate.hour(server, hour)).toList();
    return IntStream.range(0, RequestRate.POINTS_PER_HOUR)
        .filter(i -> time(hour, i) >= from && time(hour, i) < to)
        .boxed()
        .flatMap(
            i ->
                IntStream.range(0, partitions(rate))
                    .mapToObj(gateway -> message(gateway, time(hour, i), values, i)));
  }

  private static long time(long hour, int i) {
    return hour + (long) i * RequestRate.STEP_SECONDS;
  }

  private ProducerRecord<byte[], byte[]> message(
      int gateway, long time, List<List<Number>> values, int i) {
    ArrayNode points = JsonNodeFactory.instance.arrayNode();
    for (int server = gateway; server < rate.series(); server += partitions(rate)) {
      points.add(point(server, time, values.get(server).get(i)));
    }
    return record(gateway, time * MILLIS, points);
  }

  /**
   * One point of its own.
   *
   * @param server its server, counted from 0
   * @param time seconds since the epoch
   * @param value the value
   * @param sent time of the message, milliseconds since the epoch
   */
  ProducerRecord<byte[], byte[]> single(int server, long time, Number value, long sent) {
    ArrayNode points = JsonNodeFactory.instance.arrayNode().add(point(server, time, value));
    return record(server % partitions(rate), sent, points);
  }

  private ObjectNode point(int server, long time, Number value) {
    ObjectNode point = JsonNodeFactory.instance.objectNode();
    point.put("type", "Metric").put("metric", RequestRate.METRIC).put("timestamp", time);
    if (value instanceof Long integer) {
      point.put("value", integer);
    } else {
      point.put("value", value.doubleValue());
    }
    rate.tags(server).forEach(point.putObject("tags")::put);
    return point;
  }

  private ProducerRecord<byte[], byte[]> record(int gateway, long sent, ArrayNode points) {
    try {
      return new ProducerRecord<>(
          Topics.POINTS, gateway, sent, null, JSON.writeValueAsBytes(points));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }
}
