package io.tsdbsuite.bench.stream;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.KGroupedStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Suppressed;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.state.WindowStore;

/**
 * The first way to roll up points with Kafka Streams: its DSL with its defaults, one windowed
 * aggregate for each interval, final results by {@code suppress}; runs until the JVM is killed.
 *
 * <p>In its favour, the messages have the series as their key, so that no topic repartitions them,
 * and a window is stored in 32 bytes. It lacks the rules of stream-rollup: order of points,
 * duplicates, late points, requests.
 */
final class DslMain {
  /** As the slack of stream-rollup. */
  private static final Duration GRACE = Duration.ofSeconds(RoundTimes.SLACK);

  private static final long MILLIS = 1000;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** In this order, because the names of the suppressed buffers' changelogs are numbered. */
  private static final List<Map.Entry<String, Duration>> INTERVALS =
      List.of(
          Map.entry("10m", Duration.ofMinutes(10)),
          Map.entry("1h", Duration.ofHours(1)),
          Map.entry("1d", Duration.ofDays(1)));

  private DslMain() {}

  /** Arguments: brokers, application id, topic of points, topic of rollups, state. */
  public static void main(String[] args) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, args[1]);
    settings.put(StreamsConfig.STATE_DIR_CONFIG, args[4]);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    KafkaStreams streams = new KafkaStreams(topology(args[2], args[3]), settings);
    streams.setStateListener(
        (now, before) -> {
          if (now == KafkaStreams.State.ERROR) {
            Runtime.getRuntime().halt(1);
          }
        });
    streams.start();
  }

  private static Topology topology(String points, String rollups) {
    StreamsBuilder builder = new StreamsBuilder();
    KGroupedStream<String, Point> series =
        builder.stream(
                points,
                Consumed.with(Serdes.String(), Point.serde())
                    .withTimestampExtractor(
                        (record, before) -> ((Point) record.value()).timestamp() * MILLIS))
            .groupByKey(Grouped.with(Serdes.String(), Point.serde()));
    INTERVALS.forEach(
        interval ->
            series
                .windowedBy(TimeWindows.ofSizeAndGrace(interval.getValue(), GRACE))
                .aggregate(
                    Aggregate::empty,
                    (key, point, aggregate) -> aggregate.add(point.value()),
                    Materialized.<String, Aggregate, WindowStore<Bytes, byte[]>>as(
                            "rollups-" + interval.getKey())
                        .withKeySerde(Serdes.String())
                        .withValueSerde(Aggregate.serde()))
                .suppress(Suppressed.untilWindowCloses(Suppressed.BufferConfig.unbounded()))
                .toStream()
                .map((window, aggregate) -> rollup(interval.getKey(), window, aggregate))
                .to(rollups, Produced.with(Serdes.String(), Serdes.ByteArray())));
    return builder.build();
  }

  private static KeyValue<String, byte[]> rollup(
      String interval, Windowed<String> window, Aggregate aggregate) {
    ObjectNode message = JSON.createObjectNode();
    message.put("type", "Rollup");
    message.put("v", 1);
    int tagsFrom = window.key().indexOf('{');
    message.put("metric", window.key().substring(0, tagsFrom));
    ObjectNode tags = message.putObject("tags");
    for (String tag :
        window.key().substring(tagsFrom + 1, window.key().length() - 1).split(",", -1)) {
      int equals = tag.indexOf('=');
      tags.put(tag.substring(0, equals), tag.substring(equals + 1));
    }
    message.put("timestamp", window.window().start() / MILLIS);
    message.put("interval", interval);
    message.put("asOf", window.window().end());
    ObjectNode values = message.putObject("values");
    values.put("sum", aggregate.sum());
    values.put("min", aggregate.min());
    values.put("max", aggregate.max());
    values.put("count", aggregate.count());
    try {
      return KeyValue.pair(window.key(), JSON.writeValueAsBytes(message));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A Metric message as Jackson binds it.
   *
   * @param timestamp seconds since the epoch
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Point(String metric, Map<String, String> tags, long timestamp, double value) {
    private static Serde<Point> serde() {
      return Serdes.serdeFrom(
          (topic, point) -> {
            throw new UnsupportedOperationException("points are only read");
          },
          (topic, bytes) -> read(bytes));
    }

    private static Point read(byte[] bytes) {
      try {
        return JSON.readValue(bytes, Point.class);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Sum, minimum, maximum and count of one window, in 32 bytes: less than JSON, as is usual. */
  private record Aggregate(double sum, double min, double max, long count) {
    private static Aggregate empty() {
      return new Aggregate(0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0);
    }

    private Aggregate add(double value) {
      return new Aggregate(sum + value, Math.min(min, value), Math.max(max, value), count + 1);
    }

    private static Serde<Aggregate> serde() {
      return Serdes.serdeFrom(
          (topic, aggregate) -> aggregate == null ? null : aggregate.bytes(),
          (topic, bytes) -> bytes == null ? null : of(ByteBuffer.wrap(bytes)));
    }

    private byte[] bytes() {
      return ByteBuffer.allocate(32)
          .putDouble(sum)
          .putDouble(min)
          .putDouble(max)
          .putLong(count)
          .array();
    }

    private static Aggregate of(ByteBuffer bytes) {
      return new Aggregate(
          bytes.getDouble(), bytes.getDouble(), bytes.getDouble(), bytes.getLong());
    }
  }
}
