package io.tsdbsuite.bench.stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
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
 * The first way to roll up points with Kafka Streams: its DSL, one windowed aggregate for each
 * interval, final results by {@code suppress}.
 *
 * <p>In its favour, the messages have the series as their key, so that no topic repartitions them,
 * and a window is stored in 32 bytes. It lacks the rules of stream-rollup: order of points,
 * duplicates, late points, requests.
 */
final class DslTopology {
  private static final long MILLIS = 1000;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** In this order, because the names of the suppressed buffers' changelogs are numbered. */
  private static final List<Map.Entry<String, Duration>> INTERVALS =
      List.of(
          Map.entry("10m", Duration.ofMinutes(10)),
          Map.entry("1h", Duration.ofHours(1)),
          Map.entry("1d", Duration.ofDays(1)));

  private DslTopology() {}

  /**
   * Builds the topology.
   *
   * @param grace time for which points may come late
   */
  static Topology of(String points, String rollups, Duration grace) {
    StreamsBuilder builder = new StreamsBuilder();
    KGroupedStream<String, DslPoint> series =
        builder.stream(
                points,
                Consumed.with(Serdes.String(), DslPoint.serde())
                    .withTimestampExtractor(
                        (record, before) -> ((DslPoint) record.value()).timestamp() * MILLIS))
            .groupByKey(Grouped.with(Serdes.String(), DslPoint.serde()));
    INTERVALS.forEach(
        interval ->
            series
                .windowedBy(TimeWindows.ofSizeAndGrace(interval.getValue(), grace))
                .aggregate(
                    DslAggregate::empty,
                    (key, point, aggregate) -> aggregate.add(point.value()),
                    Materialized.<String, DslAggregate, WindowStore<Bytes, byte[]>>as(
                            "rollups-" + interval.getKey())
                        .withKeySerde(Serdes.String())
                        .withValueSerde(DslAggregate.serde()))
                .suppress(Suppressed.untilWindowCloses(Suppressed.BufferConfig.unbounded()))
                .toStream()
                .map((window, aggregate) -> rollup(interval.getKey(), window, aggregate))
                .to(rollups, Produced.with(Serdes.String(), Serdes.ByteArray())));
    return builder.build();
  }

  private static KeyValue<String, byte[]> rollup(
      String interval, Windowed<String> window, DslAggregate aggregate) {
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
}
