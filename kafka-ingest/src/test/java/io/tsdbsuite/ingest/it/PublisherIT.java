package io.tsdbsuite.ingest.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.MetricElement;
import io.tsdbsuite.message.write.SeriesKey;
import io.tsdbsuite.testkit.CellDiff;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.ServerException;
import io.tsdbsuite.testkit.TelnetClient;
import io.tsdbsuite.testkit.TsdServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.opentsdb.core.WriteableDataPointFilterPlugin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** What a TSD publishes, and what it does not. */
class PublisherIT {
  private static final long DAY = 1763510400L;

  private static final List<Object> VALUES =
      List.of(
          0L,
          -1L,
          127L,
          128L,
          -129L,
          32767L,
          32768L,
          2147483647L,
          2147483648L,
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          "1.5",
          "0.1",
          "-0.0",
          "3.0",
          "1e10",
          "16777217.0",
          "1.17549435E-38",
          "4.9E-324",
          "3.4028234663852886E38",
          "1e300",
          "-7.25",
          "-7.3");

  private final KafkaTopics topics = IngestStack.get().kafka().topics();

  /** Every value in seconds and in milliseconds. */
  private static List<DataPoint> points(String metric) {
    List<DataPoint> points = new ArrayList<>();
    for (int i = 0; i < VALUES.size(); i++) {
      Map<String, String> tags = Map.of("host", "web" + i % 3, "dc", "one");
      points.add(new DataPoint(metric, DAY + 61L * i, VALUES.get(i), tags));
      long millis = (DAY + 7200) * 1000 + 61_007L * i;
      points.add(new DataPoint(metric, millis, VALUES.get(i), tags));
    }
    return points;
  }

  private static List<RawCell> cells(String table) throws Exception {
    return IngestStack.get().hbase().cells(table);
  }

  @Test
  void whatReadsTheTopicStoresTheSameCells() throws Exception {
    topics.create("published", 3);
    topics.create("published-dead", 1);
    Map<String, String> conf = Publishing.conf("published");
    conf.put("tsd.storage.hbase.data_table", "publish-data");
    TsdServer tsd = Publishing.tsd("publish", conf);
    List<DataPoint> points = points("publish.http");
    points.add(new DataPoint("publish.http", DAY, 1.5, Map.of("ort", "köln")));
    tsd.client().put(points);
    List<DataPoint> byTelnet = points("publish.telnet");
    try (TelnetClient telnet = tsd.telnet()) {
      telnet.put(byTelnet);
    }
    points.addAll(byTelnet);
    Publishing.awaitDone(tsd, points.size());
    assertThat(Publishing.points(tsd, "acknowledged")).isEqualTo(points.size());
    assertThat(Publishing.points(tsd, "dropped")).isZero();
    assertKeysAndTimes(points);

    Map<String, String> copyConf = new HashMap<>();
    copyConf.put("tsd.storage.hbase.data_table", "publish-copy");
    copyConf.put("tsd.rollups.enable", "false");
    copyConf.put("KafkaRpcPlugin.groups", "copy");
    copyConf.put("KafkaRpcPlugin.copy.topics", "published");
    copyConf.put("KafkaRpcPlugin.deadLetterTopic", "published-dead");
    TsdServer copy = IngestStack.tsd("publish-copy", copyConf);
    IngestStack.awaitCaughtUp(copy, "copy", points.size());
    // A stop flushes what the TSD has of puts.
    tsd.stop();
    copy.stop();
    List<RawCell> stored = cells("publish-data");
    assertThat(stored).hasSize(points.size());
    assertThat(CellDiff.of(stored, cells("publish-copy"), 10)).isEmpty();
    assertThat(stored).extracting(cell -> cell.value().length).contains(1, 2, 4, 8);
    assertThat(topics.readAll("published-dead")).isEmpty();
    // A library that the TSD has in another version would show up here.
    assertThat(tsd.logTail())
        .doesNotContain("LinkageError", "NoClassDefFound", "NoSuchMethod", "ClassNotFound");
  }

  private void assertKeysAndTimes(List<DataPoint> points) throws Exception {
    Set<String> expected = new HashSet<>();
    for (DataPoint point : points) {
      String key = new String(SeriesKey.of(point.metric(), point.tags()), UTF_8);
      expected.add(key + " " + point.timestamp());
    }
    Set<String> found = new HashSet<>();
    Map<String, Integer> partitions = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : topics.readAll("published")) {
      MetricElement element = (MetricElement) new MessageReader().read(record.value()).get(0);
      String key = new String(SeriesKey.of(element.metric(), element.tags()), UTF_8);
      assertThat(new String(record.key(), UTF_8)).isEqualTo(key);
      assertThat(partitions.computeIfAbsent(key, k -> record.partition()))
          .isEqualTo(record.partition());
      found.add(key + " " + element.timestamp());
    }
    assertThat(found).isEqualTo(expected).hasSize(points.size());
  }

  private static Path lateFilter() throws Exception {
    return IngestStack.plugin(
        WriteableDataPointFilterPlugin.class,
        LateFilter.class,
        LateFilter.class,
        LateFilter.Answer.class);
  }

  private static void addFilter(Map<String, String> conf) {
    conf.put("tsd.timeseriesfilter.enable", "true");
    conf.put("tsd.timeseriesfilter.plugin", LateFilter.class.getName());
  }

  @Test
  void sendsAcceptedRawPointsAlone() throws Exception {
    topics.create("published-raw", 1);
    Map<String, String> conf = IngestStack.rollups();
    // A TSD's own cells keep groups without offsets from starting over the table.
    conf.put(
        "tsd.rollups.config",
        IngestStack.ROLLUP_CONFIG.replace("\"tsdb-rollup-1h\"", "\"publish-rollup-1h\""));
    conf.putAll(Publishing.conf("published-raw"));
    addFilter(conf);
    TsdServer tsd = Publishing.tsd("publish-raw", conf, lateFilter());
    Map<String, String> tags = Map.of("host", "a");
    tsd.client().put(List.of(new DataPoint("publish.refused", DAY, 1L, tags)));
    tsd.client().putHistogram("publish.histogram", DAY, Map.of("0,1", 5L), tags);
    tsd.client().putRollup(new DataPoint("publish.rollup", DAY, 5L, tags), "1h", "sum");
    tsd.client().putAnnotation("000001000001000001", DAY, "a note");
    tsd.client().put(List.of(new DataPoint("publish.accepted.http", DAY, 1.5, tags)));
    try (TelnetClient telnet = tsd.telnet()) {
      telnet.put(List.of(new DataPoint("publish.accepted.telnet", DAY, 1.5, tags)));
    }
    Publishing.awaitDone(tsd, 2);
    assertThat(Publishing.points(tsd, "acknowledged")).isEqualTo(2);
    assertThat(Publishing.skipped(tsd, "histogram")).isEqualTo(1);
    assertThat(Publishing.skipped(tsd, "annotation")).isEqualTo(1);
    assertThat(Publishing.skipped(tsd, "fromKafka")).isZero();
    // The width is known on the filter's thread too.
    assertThat(topics.readAll("published-raw"))
        .extracting(record -> new String(record.value(), UTF_8))
        .satisfiesExactlyInAnyOrder(
            message -> assertThat(message).contains(".http\"", "\"tsdOrigin\":\"http\""),
            message -> assertThat(message).contains(".telnet\"").doesNotContain("tsdOrigin"));
    tsd.stop();
  }

  /** With a filter, 2.4.1 goes on with a point on whatever thread the filter answers. */
  @Test
  void pointsFromKafkaAreNotSentAgain() throws Exception {
    topics.create("loop-points", 2);
    topics.create("loop-published", 2);
    topics.create("loop-dead", 1);
    Map<String, String> conf = Publishing.conf("loop-published");
    addFilter(conf);
    conf.put("KafkaRpcPlugin.groups", "loop");
    conf.put("KafkaRpcPlugin.loop.topics", "loop-points,loop-published");
    conf.put("KafkaRpcPlugin.deadLetterTopic", "loop-dead");
    TsdServer tsd = Publishing.tsd("loop", IngestStack.conf(conf), lateFilter());
    List<ProducerRecord<byte[], byte[]>> messages = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String message =
          "{\"type\":\"Metric\",\"metric\":\"loop.kafka\",\"timestamp\":"
              + (DAY + i)
              + ",\"value\":"
              + (i % 2 == 0 ? i : i + ".5")
              + ",\"tags\":{\"host\":\"a\"}}";
      messages.add(new ProducerRecord<>("loop-points", message.getBytes(UTF_8)));
    }
    topics.send(messages);
    List<DataPoint> points = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Object value = i % 2 == 0 ? (Object) (long) i : i + 0.5;
      points.add(new DataPoint("loop.http", DAY + i, value, Map.of("host", "a")));
    }
    tsd.client().put(points);
    IngestStack.awaitCaughtUp(tsd, "loop", 150);
    Publishing.awaitDone(tsd, 50);
    // Every point that the group has read was skipped: none is on its way back to the group.
    assertThat(Publishing.skipped(tsd, "fromKafka")).isEqualTo(150);
    assertThat(Publishing.points(tsd, "acknowledged")).isEqualTo(50);
    assertThat(topics.readAll("loop-published")).hasSize(50);
    JsonNode counts = IngestStack.status(tsd.client(), "loop").get("messages");
    // Those whose partition moved before they were written were consumed twice.
    assertThat(counts.get("consumed").asLong() - counts.get("replayed").asLong()).isEqualTo(150);
    tsd.stop();
  }

  @Test
  void aStopSendsWhatIsQueued() {
    topics.create("published-stop", 1);
    Map<String, String> conf = Publishing.conf("published-stop");
    conf.put("KafkaRpcPlugin.kafka.linger.ms", "60000");
    conf.put("KafkaRpcPlugin.kafka.delivery.timeout.ms", "120000");
    TsdServer tsd = Publishing.tsd("publish-stop", conf);
    tsd.client().put(points("publish.stop"));
    int points = 2 * VALUES.size();
    assertThat(Publishing.queued(tsd)).isEqualTo(points);
    tsd.stop();
    assertThat(topics.readAll("published-stop")).hasSize(points);
  }

  @Test
  void aWrongConfigurationStopsTheStartWithAllProblems() {
    Map<String, String> conf = Publishing.conf("");
    conf.put("KafkaRpcPlugin.publisher.maxQueued", "0");
    conf.put("KafkaRpcPlugin.publisher.topci", "t");
    assertThatThrownBy(() -> Publishing.tsd("publish-wrong", conf))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("KafkaRpcPlugin.publisher.topic must name a topic")
        .hasMessageContaining("KafkaRpcPlugin.publisher.maxQueued must be an integer from 1")
        .hasMessageContaining("KafkaRpcPlugin.publisher.topci is not a key of kafka-ingest");
  }
}
