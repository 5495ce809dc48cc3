package io.tsdbsuite.stream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.stream.series.SeriesHash;
import io.tsdbsuite.stream.series.StreamIntervals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.Collector;
import org.apache.flink.util.InstantiationUtil;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class PointDeserializerTest {
  private static final String POINT =
      "{\"type\":\"Metric\",\"metric\":\"m\",\"tags\":{\"a\":\"b\"},\"timestamp\":1600000000,"
          + "\"value\":1}";

  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4},
           "suite": {"histograms": [{"metrics": "m", "intervals": "1h"},
             {"metrics": "of.days", "intervals": "1d"}],
            "histogramTables": {"1h": "h-1h", "1d": "h-1d"}},
           "intervals": [
            {"table": "tsdb", "preAggregationTable": "tsdb", "interval": "1m", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "1h", "preAggregationTable": "agg-1h", "interval": "1h", "rowSpan": "1d"},
            {"table": "1d", "preAggregationTable": "agg-1d", "interval": "1d", "rowSpan": "1y"}]}
          """);

  private static StreamIntervals intervals(SuiteConfig suite) throws IOException {
    return new StreamIntervals(
        List.of(CONFIG.interval("1h")),
        120,
        2400,
        suite,
        HistogramCodecs.load(
            "{\"net.opentsdb.core.SimpleHistogramDecoder\": 42,"
                + " \"io.tsdbsuite.histogram.SketchCodec\": 43}"));
  }

  private static List<KafkaPoint> read(MessageLimits limits, SuiteConfig suite, String message)
      throws Exception {
    PointDeserializer sent =
        InstantiationUtil.clone(
            new PointDeserializer(
                0, 0, 60_000, limits, Clock.systemUTC(), SeriesHash.murmur3(), intervals(suite)));
    sent.open(null);
    List<KafkaPoint> elements = new ArrayList<>();
    Collector<KafkaPoint> out =
        new Collector<>() {
          @Override
          public void collect(KafkaPoint element) {
            elements.add(sent(element));
          }

          @Override
          public void close() {}
        };
    sent.deserialize(
        new ConsumerRecord<>("t", 0, 0, null, message.getBytes(StandardCharsets.UTF_8)), out);
    return elements;
  }

  /** As another task receives it; the element is reused. */
  private static KafkaPoint sent(KafkaPoint element) {
    try {
      DataOutputSerializer out = new DataOutputSerializer(64);
      KafkaPointSerializer.INSTANCE.serialize(element, out);
      return KafkaPointSerializer.INSTANCE.deserialize(
          new DataInputDeserializer(out.getCopyOfBuffer()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<KafkaPoint.Kind> kinds(MessageLimits limits, String message)
      throws Exception {
    return read(limits, SuiteConfig.NONE, message).stream().map(each -> each.kind).toList();
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

  private static String histogram(String metric, long timestamp, String fields) {
    return "{\"type\":\"Histogram\",\"metric\":\"%s\",\"tags\":{\"a\":\"b\"},\"timestamp\":%s,%s}"
        .formatted(metric, timestamp, fields);
  }

  /** Kind, cell and time, of histograms between points. */
  private static String read(SuiteConfig suite, String metric, long timestamp, String fields)
      throws Exception {
    List<KafkaPoint> found =
        read(
            MessageLimits.DEFAULT,
            suite,
            "[" + POINT + "," + histogram(metric, timestamp, fields) + "," + POINT + "]");
    assertThat(found).hasSize(3);
    for (int i = 0; i < 3; i += 2) {
      assertThat(found.get(i).kind).isEqualTo(KafkaPoint.Kind.POINT);
      assertThat(found.get(i).point.cell).isEmpty();
    }
    KafkaPoint histogram = found.get(1);
    if (histogram.kind != KafkaPoint.Kind.POINT) {
      return histogram.kind.name();
    }
    assertThat(histogram.point.names).isEqualTo(found.get(0).point.names);
    return HexFormat.of().formatHex(histogram.point.cell) + " " + histogram.point.millis;
  }

  @Test
  void histogramsOfTheSuiteAreRead() throws Exception {
    SuiteConfig suite = CONFIG.suite();
    String sketch = "\"id\":43,\"value\":\"AQoAAAEAAQ==\"";
    assertThat(read(suite, "m", 1_600_000_000, sketch)).isEqualTo("2b010a0000010001 1600000000000");
    assertThat(read(suite, "m", 1_600_000_000_007L, sketch))
        .isEqualTo("2b010a0000010001 1600000000007");
    String buckets = "\"buckets\":{\"1,2\":3},\"underflow\":4,\"overflow\":5";
    assertThat(read(suite, "m", 1_600_000_000, buckets))
        .isEqualTo("2a00013f80000040000000030405 1600000000000");
    // Without a codec here, and beyond the bytes of a rollup's histogram.
    assertThat(read(suite, "m", 1_600_000_000, "\"id\":200,\"value\":\"AQ==\""))
        .isEqualTo("c8 1600000000000");
    assertThat(
            read(suite, "m", 1_600_000_000, "\"id\":43,\"value\":\"" + "A".repeat(699_056) + "\""))
        .isEqualTo("2b 1600000000000");
    assertThat(read(suite, "m", 1_600_000_000, "\"id\":43,\"value\":\"%\"")).isEqualTo("BAD");
    assertThat(read(suite, "m", 1_600_000_000, "\"buckets\":{\"1\":3}")).isEqualTo("BAD");
    assertThat(read(suite, "m", 5_000_000_000_000L, sketch)).isEqualTo("BAD");
  }

  /** Their values are not looked at. */
  @Test
  void otherHistogramsAreNot() throws Exception {
    for (String fields : List.of("\"id\":43,\"value\":\"AQ==\"", "\"buckets\":{\"1\":3}")) {
      assertThat(read(CONFIG.suite(), "of.days", 1_600_000_000, fields)).isEqualTo("OTHER");
      assertThat(read(CONFIG.suite(), "n", 1_600_000_000, fields)).isEqualTo("OTHER");
      assertThat(read(SuiteConfig.NONE, "m", 1_600_000_000, fields)).isEqualTo("OTHER");
    }
  }
}
