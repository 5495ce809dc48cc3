package io.tsdbsuite.ingest.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.message.Origin;
import io.tsdbsuite.message.read.AggregateElement;
import io.tsdbsuite.message.read.HistogramElement;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.MetricElement;
import io.tsdbsuite.message.read.SeriesElement;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import net.opentsdb.core.HistogramPojo;
import net.opentsdb.core.IncomingDataPoint;
import net.opentsdb.rollup.RollUpDataPoint;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The reader reads the messages that the storage exception handler writes. */
class RequeuedPointsTest {
  private static final Map<String, String> TAGS = Map.of("host", "web\"01", "dc", "köln");

  private final RequeuedPoints points =
      new RequeuedPoints(
          IngestConfig.read(
              Map.of(
                  "KafkaRpcPlugin.kafka.bootstrap.servers", "127.0.0.1:1",
                  "KafkaRpcPlugin.seh.topic.default", "again",
                  "KafkaRpcPlugin.seh.topic.rollup", "rollups"),
              IngestConfig.Reader.STORAGE_EXCEPTION_HANDLER),
          Clock.systemUTC());

  @AfterEach
  void close() {
    points.close();
  }

  private static <P extends IncomingDataPoint> P fill(P point, String value) {
    point.setMetric("sys.cpu");
    point.setTimestamp(1763510400123L);
    point.setValue(value);
    point.setTags(new HashMap<>(TAGS));
    return point;
  }

  private SeriesElement readBack(IncomingDataPoint point, Origin origin, String topic)
      throws Exception {
    ProducerRecord<byte[], byte[]> record = points.record(point, origin);
    assertThat(record.topic()).isEqualTo(topic);
    assertThat(new String(record.key(), UTF_8)).isEqualTo("sys.cpu{dc=köln,host=web\"01}");
    assertThat(record.headers().lastHeader(MessageHeaders.REQUEUED_AT)).isNotNull();
    SeriesElement element = (SeriesElement) new MessageReader().read(record.value()).get(0);
    assertThat(element.metric()).isEqualTo("sys.cpu");
    assertThat(element.tags()).isEqualTo(TAGS);
    assertThat(element.timestamp()).isEqualTo(1763510400123L);
    return element;
  }

  @ParameterizedTest
  @EnumSource
  void aRawPointReadsBackEqual(Origin origin) throws Exception {
    MetricElement read =
        (MetricElement) readBack(fill(new IncomingDataPoint(), "1.5"), origin, "again");
    assertThat(read.value()).isEqualTo("1.5");
    assertThat(read.origin()).isEqualTo(origin);
  }

  @Test
  void aRollupReadsBackEqual() throws Exception {
    RollUpDataPoint point = fill(new RollUpDataPoint(), "90");
    point.setInterval("1h");
    point.setAggregator("SUM");
    AggregateElement read = (AggregateElement) readBack(point, Origin.HTTP, "rollups");
    assertThat(read.value()).isEqualTo("90");
    assertThat(read.interval()).isEqualTo("1h");
    assertThat(read.aggregator()).isEqualTo("SUM");
    assertThat(read.groupByAggregator()).isNull();
    assertThat(read.origin()).isEqualTo(Origin.HTTP);
  }

  @Test
  void aPreAggregateReadsBackEqual() throws Exception {
    RollUpDataPoint point = fill(new RollUpDataPoint(), "90");
    point.setGroupByAggregator("MAX");
    AggregateElement read = (AggregateElement) readBack(point, Origin.TELNET, "again");
    assertThat(read.interval()).isNull();
    assertThat(read.groupByAggregator()).isEqualTo("MAX");
    assertThat(read.origin()).isEqualTo(Origin.TELNET);
  }

  @Test
  void aHistogramReadsBackEqual() throws Exception {
    HistogramPojo point = fill(new HistogramPojo(), "AAAA");
    point.setId(42);
    HistogramElement read = (HistogramElement) readBack(point, Origin.HTTP, "again");
    assertThat(read.id()).isEqualTo(42);
    assertThat(read.value()).isEqualTo("AAAA");
    HistogramPojo simple = fill(new HistogramPojo(), null);
    simple.setBuckets(Map.of("0,1", 5L));
    simple.setOverflow(1);
    HistogramElement buckets = (HistogramElement) readBack(simple, Origin.HTTP, "again");
    assertThat(buckets.value()).isNull();
    assertThat(buckets.buckets()).isEqualTo(Map.of("0,1", 5L));
    assertThat(buckets.overflow()).isEqualTo(1);
  }
}
