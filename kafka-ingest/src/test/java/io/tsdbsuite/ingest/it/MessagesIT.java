package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.PrometheusScrape;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of message, good and bad, through the plugin's jar in a real TSD. */
class MessagesIT {
  private static final long HOUR = 1763510400L;
  private static final String TOPIC = "messages";
  private static final String DEAD = "messages-dead";

  private static TsdServer tsd;
  private static KafkaTopics topics;
  private static long sent;

  @BeforeAll
  static void start() {
    topics = new KafkaTopics(IngestStack.get().kafka().bootstrapServers());
    topics.create(TOPIC, 2);
    topics.create(DEAD, 1);
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin.groups", "points");
    conf.put("KafkaRpcPlugin.points.topics", TOPIC);
    conf.put("KafkaRpcPlugin.deadLetterTopic", DEAD);
    conf.put("KafkaRpcPlugin.points.readyLag", "0");
    conf.put(
        "tsd.rollups.config",
        IngestStack.ROLLUP_CONFIG
            .replace("\"max\":4", "\"max\":4,\"p50\":10,\"p99\":11,\"first\":12")
            .replace(
                "\"intervals\":[",
                "\"suite\":{\"histograms\":[{\"metrics\":\"r.hist\",\"intervals\":\"1h\"}],"
                    + "\"histogramTables\":{\"1h\":\"tsdb-preagg\"}},\"intervals\":["));
    conf.put("tsd.core.histograms.config", TsdServer.SKETCH_CONFIG);
    List<Path> classPath = new ArrayList<>(TsdServer.sketchCodec());
    classPath.add(IngestStack.jar());
    tsd = IngestStack.get().startTsd("messages", IngestStack.conf(conf), classPath);
  }

  @AfterAll
  static void stop() {
    tsd.stop();
  }

  private static synchronized JsonNode send(String... messages) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (String message : messages) {
      records.add(
          new ProducerRecord<>(
              TOPIC,
              0,
              "key".getBytes(StandardCharsets.UTF_8),
              message == null ? null : message.getBytes(StandardCharsets.UTF_8)));
    }
    sent += topics.send(records);
    return IngestStack.awaitCaughtUp(tsd, "points", sent);
  }

  private static List<Series> raw(String metric) {
    return tsd.client().query(QuerySpec.of(metric, HOUR, HOUR + 3598));
  }

  @Test
  void storesMetrics() {
    send(
        "{\"type\":\"Metric\",\"metric\":\"m.one\",\"timestamp\":1763510401,\"value\":42,"
            + "\"tags\":{\"host\":\"a\"}}",
        "[{\"type\":\"Metric\",\"metric\":\"m.one\",\"timestamp\":1763510402500,\"value\":\"1.5\","
            + "\"tags\":{\"host\":\"a\"}},"
            + "{\"metric\":\"m.one\",\"timestamp\":\"1763510403\",\"value\":0.1,"
            + "\"tags\":{\"host\":\"a\"},\"new\":[{}],\"type\":\"Metric\"}]");
    assertThat(raw("m.one"))
        .singleElement()
        .satisfies(
            series ->
                assertThat(series.points())
                    .containsExactlyInAnyOrderEntriesOf(
                        Map.of(1763510401000L, 42.0, 1763510402500L, 1.5, 1763510403000L, 0.1)));
  }

  /** OpenTSDB would store each of them as two question marks: one series of them all. */
  @Test
  void namesThatItCannotKeepApartAreRefused() throws IOException {
    int before = topics.readAll(DEAD).size();
    long storedBefore = IngestStack.status(tsd.client(), "points").at("/messages/stored").asLong();
    String kept =
        "{\"type\":\"Metric\",\"metric\":\"n.größe\",\"timestamp\":1763510401,\"value\":1,"
            + "\"tags\":{\"straße\":\"ÿ\"}}";
    String point = kept.replace("n.größe", "n.one");
    String rollup = ",\"v\":1,\"interval\":\"1h\",\"values\":{\"sum\":1},\"aggregator\":\"SUM\"";
    send(
        kept,
        point.replace("ÿ", "東京"),
        point.replace("ÿ", "大阪"),
        point.replace("straße", "Ā"),
        point.replace("n.one", "температура"),
        point.replace("ÿ", "京都").replace("Metric", "Rollup").replace(":1,", ":1" + rollup + ","),
        point.replace("ÿ", "京都").replace("Metric", "Aggregate").replace(":1,", ":1" + rollup + ","),
        point
            .replace("ÿ", "京都")
            .replace("Metric", "Histogram")
            .replace("\"value\":1", "\"buckets\":{\"0,1\":1}"));
    List<ConsumerRecord<byte[], byte[]>> dead = topics.readAll(DEAD);
    assertThat(dead.subList(before, dead.size()))
        .hasSize(7)
        .allSatisfy(
            record -> {
              assertThat(header(record, "kafka-ingest.reason")).isEqualTo("refused");
              assertThat(header(record, "kafka-ingest.message")).contains("ISO-8859-1");
            });
    assertThat(IngestStack.status(tsd.client(), "points").at("/messages/stored").asLong())
        .isEqualTo(storedBefore + 1);
    Uids uids = new Uids();
    assertThat(uids.has("metrics", "n.größe")).isTrue();
    assertThat(uids.has("metrics", "n.one")).isFalse();
    assertThat(uids.has("metrics", "???????????")).isFalse();
    assertThat(uids.has("tagv", "??")).isFalse();
    assertThat(uids.has("tagk", "?")).isFalse();
    // Read back from HBase, not from what was sent.
    tsd.client().get("api/dropcaches");
    assertThat(raw("n.größe"))
        .singleElement()
        .satisfies(series -> assertThat(series.tags()).isEqualTo(Map.of("straße", "ÿ")));
  }

  @Test
  void storesRollupsOnOneWidthInOneRow() throws IOException {
    send(
        "{\"type\":\"Rollup\",\"v\":1,\"metric\":\"r.one\",\"tags\":{\"host\":\"a\"},"
            + "\"timestamp\":1763510400,\"interval\":\"1h\","
            + "\"values\":{\"sum\":90,\"min\":-0.0,\"max\":3.0,\"count\":60}}",
        "{\"type\":\"Aggregate\",\"metric\":\"r.one\",\"tags\":{\"host\":\"a\"},"
            + "\"timestamp\":1763514000,\"interval\":\"1h\",\"aggregator\":\"SUM\",\"value\":1}");
    Series series =
        tsd.client().query(QuerySpec.of("r.one", HOUR, HOUR + 7198).downsample("1h-sum")).get(0);
    assertThat(series.points()).isEqualTo(Map.of(HOUR * 1000, 90.0, (HOUR + 3600) * 1000, 1.0));
    Iterable<RawCell> cells = StoredRollups.cells("tsdb-rollup-1h", "r.one");
    assertThat(cells).hasSize(5).allSatisfy(cell -> assertThat(cell.value()).hasSize(8));
    assertThat(cells)
        .extracting(cell -> HexFormat.of().formatHex(cell.row()))
        .containsOnly(HexFormat.of().formatHex(cells.iterator().next().row()));
  }

  @Test
  void storesAndDeletesValuesOfFurtherAggregators() throws IOException {
    String v2 =
        "{\"type\":\"Rollup\",\"v\":2,\"metric\":\"r.more\",\"tags\":{\"host\":\"a\"},"
            + "\"timestamp\":1763510400,\"interval\":\"1h\",\"values\":{\"sum\":90,\"min\":-0.0,"
            + "\"max\":3.0,\"count\":60,\"p50\":1.25,\"p99\":2.875,\"first\":7}}";
    String aggregate =
        "{\"type\":\"Aggregate\",\"metric\":\"r.more\",\"tags\":{\"host\":\"a\"},"
            + "\"timestamp\":1763514000,\"interval\":\"1h\",\"aggregator\":\"P99\",\"value\":4}";
    long before = IngestStack.status(tsd.client(), "points").at("/points/stored").asLong();
    JsonNode status = send(v2, aggregate, aggregate.replace("P99", "COUNT"));
    assertThat(status.at("/points/stored").asLong()).isEqualTo(before + 9);
    assertThat(StoredRollups.cells("tsdb-rollup-1h", "r.more"))
        .hasSize(9)
        .allSatisfy(cell -> assertThat(cell.value()).hasSize(8));
    assertThat(rollups("1h-p99")).isEqualTo(Map.of(HOUR * 1000, 2.875, (HOUR + 3600) * 1000, 4.0));
    assertThat(rollups("1h-p50")).isEqualTo(Map.of(HOUR * 1000, 1.25));
    assertThat(rollups("1h-first")).isEqualTo(Map.of(HOUR * 1000, 7.0));
    assertThat(rollups("1h-sum")).isEqualTo(Map.of(HOUR * 1000, 90.0));
    // A rollup of version 1 leaves the others as they are, a deletion removes all.
    String v1 =
        v2.replace("\"v\":2", "\"v\":1").replace(",\"p50\":1.25,\"p99\":2.875,\"first\":7", "");
    send(v1.replace("\"sum\":90", "\"sum\":91"));
    assertThat(rollups("1h-sum")).isEqualTo(Map.of(HOUR * 1000, 91.0));
    assertThat(rollups("1h-p50")).isEqualTo(Map.of(HOUR * 1000, 1.25));
    send(v1.replace("\"sum\":90,\"min\":-0.0,\"max\":3.0,\"count\":60", ""));
    assertThat(StoredRollups.cells("tsdb-rollup-1h", "r.more")).hasSize(2);
  }

  private static Map<Long, Double> rollups(String downsample) {
    return tsd.client()
        .query(
            QuerySpec.of("r.more", HOUR, HOUR + 7198)
                .downsample(downsample)
                .rollupUsage("ROLLUP_NOFALLBACK"))
        .get(0)
        .points();
  }

  /** In the raw row format: a stock TSD reads them as pre-aggregates. */
  @Test
  void storesAndDeletesHistogramsOfRollups() throws IOException {
    Sketch[] sketches = {new Sketch(), new Sketch(), new Sketch()};
    for (int i = 0; i < 300; i++) {
      sketches[i % 3].add(Math.exp(i / 30.0));
    }
    String both =
        histogram(HistogramCodecs.SKETCH, sketches[0].bytes())
            .replace("{}", "{\"sum\":90,\"min\":-0.0,\"max\":3.0,\"count\":60}");
    String alone =
        histogram(HistogramCodecs.SKETCH, sketches[1].bytes()).replace("1763510400", "1763514000");
    String older =
        histogram(HistogramCodecs.SKETCH, sketches[2].bytes())
            .replace("\"1h\"", "\"1h\",\"asOf\":1763600000000");
    // Values of points that are gone, also of a further aggregator.
    send(
        "{\"type\":\"Rollup\",\"v\":2,\"metric\":\"r.hist\",\"tags\":{\"host\":\"a\"},"
            + "\"timestamp\":1763514000,\"interval\":\"1h\",\"values\":{\"sum\":90,\"min\":-0.0,"
            + "\"max\":3.0,\"count\":60,\"p99\":2.875}}");
    assertThat(StoredRollups.cells("tsdb-rollup-1h", "r.hist")).hasSize(5);
    JsonNode before = IngestStack.status(tsd.client(), "points");
    long deleted = stat("rollups.deleted");
    long stored = stat("rollups.histograms");
    JsonNode after = send(both, alone);
    assertThat(after.at("/points/stored").asLong() - before.at("/points/stored").asLong())
        .isEqualTo(6);
    assertThat(stat("rollups.histograms") - stored).isEqualTo(2);
    assertThat(stat("rollups.deleted") - deleted).isOne();
    assertThat(StoredRollups.cells("tsdb-rollup-1h", "r.hist")).hasSize(4);
    assertThat(StoredRollups.cells("tsdb-preagg", "r.hist"))
        .extracting(cell -> hex(cell.qualifier()) + " " + hex(cell.value()))
        .containsExactly(
            "060000 2b" + hex(sketches[0].bytes()), "060000 2b" + hex(sketches[1].bytes()));
    assertThat(percentile(3600)).isEqualTo(sketches[0].percentile(50));
    sketches[0].add(sketches[1]);
    assertThat(percentile(7200)).isEqualTo(sketches[0].percentile(50));
    // The newest reading stays.
    send(older);
    assertThat(StoredRollups.cells("tsdb-rollup-1h", "r.hist")).hasSize(4);
    assertThat(percentile(7200)).isEqualTo(sketches[0].percentile(50));
    send(
        "{\"type\":\"Rollup\",\"v\":1,\"metric\":\"r.hist\",\"tags\":{\"host\":\"a\"},"
            + "\"timestamp\":1763510400,\"interval\":\"1h\",\"values\":{}}");
    assertThat(StoredRollups.cells("tsdb-rollup-1h", "r.hist")).isEmpty();
    assertThat(StoredRollups.cells("tsdb-preagg", "r.hist"))
        .extracting(cell -> hex(cell.value()))
        .containsExactly("2b" + hex(sketches[1].bytes()));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static long stat(String name) {
    return tsd.client().stats().entrySet().stream()
        .filter(each -> each.getKey().startsWith("tsd.kafka-ingest." + name + " "))
        .mapToLong(each -> Long.parseLong(each.getValue()))
        .sum();
  }

  /** The median of r.hist, of a whole number of hours as one bucket. */
  private static double percentile(int seconds) {
    return StoredRollups.percentiles(
            tsd, "r.hist", seconds / 3600 + "h", HOUR, HOUR + seconds, true)
        .get("50.0")
        .elements()
        .next()
        .asDouble();
  }

  /** A histogram alone, of {@link #HOUR}. */
  private static String histogram(String codec, byte[] bytes) {
    return "{\"type\":\"Rollup\",\"v\":2,\"metric\":\"r.hist\",\"tags\":{\"host\":\"a\"},"
        + "\"timestamp\":1763510400,\"interval\":\"1h\",\"values\":{},\"histogram\":{\"codec\":\""
        + codec
        + "\",\"value\":\""
        + Base64.getEncoder().encodeToString(bytes)
        + "\"}}";
  }

  @Test
  void storesHistograms() {
    send(
        "{\"type\":\"Histogram\",\"metric\":\"h.one\",\"timestamp\":1763510400,"
            + "\"buckets\":{\"0,1.75\":12,\"1.75,3.5\":16},\"overflow\":1,\"underflow\":0,"
            + "\"tags\":{\"host\":\"a\"}}");
    JsonNode answer =
        tsd.client()
            .get(
                "api/query?start="
                    + HOUR
                    + "&end="
                    + (HOUR + 100)
                    + "&m=sum:percentiles[50.0]:h.one");
    assertThat(answer.path(0).path("dps").size()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "snappy", "lz4", "zstd"})
  void readsEveryCompression(String compression) throws Exception {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            IngestStack.get().kafka().bootstrapServers(),
            "compression.type",
            compression);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      String message =
          "{\"type\":\"Metric\",\"metric\":\"c."
              + compression
              + "\",\"timestamp\":1763510401,\"value\":42,\"tags\":{\"host\":\"a\"}}";
      producer
          .send(new ProducerRecord<>(TOPIC, message.getBytes(StandardCharsets.UTF_8)))
          .get(5, TimeUnit.MINUTES);
    }
    sent++;
    IngestStack.awaitCaughtUp(tsd, "points", sent);
    assertThat(raw("c." + compression)).hasSize(1);
  }

  private static final String ARRAYS =
      "{\"type\":\"Rollup\",\"v\":3,\"metric\":\"d.arrays\",\"tags\":{\"host\":\"a\"},"
          + "\"timestamp\":1763510400,\"interval\":\"1h\",\"asOf\":1763596800000,\"values\":"
          + "{\"sum\":[1,2],\"min\":[1,2],\"max\":[3,4],\"count\":[5,6]}}";

  /** One dead letter has the object; its other rollups are stored, also when it is sent again. */
  @Test
  void oneRollupOfAnObjectThatCannotBeStored() throws IOException {
    int before = topics.readAll(DEAD).size();
    JsonNode earlier = IngestStack.status(tsd.client(), "points");
    String bad = ARRAYS.replace("d.arrays", "d.some").replace("[5,6]", "[0,6]");
    JsonNode status = send(bad, "[" + bad + "]");
    List<ConsumerRecord<byte[], byte[]>> dead = topics.readAll(DEAD);
    assertThat(dead).hasSize(before + 2);
    assertThat(header(dead.get(before), "kafka-ingest.message"))
        .isEqualTo("count must be at least 1, found 0");
    assertThat(header(dead.get(before), "kafka-ingest.element")).isNull();
    assertThat(new String(dead.get(before).value(), StandardCharsets.UTF_8)).isEqualTo(bad);
    assertThat(StoredRollups.of("tsdb-rollup-1h", 3600, "d.some"))
        .isEqualTo(Map.of(HOUR + 3600, new StoredRollups.Rollup(2, 2, 4, 6)));
    assertThat(status.at("/points/stored").asLong() - earlier.at("/points/stored").asLong())
        .isEqualTo(8);
    send(bad.replace("[0,6]", "[5,6]"));
    assertThat(StoredRollups.of("tsdb-rollup-1h", 3600, "d.some")).hasSize(2);
  }

  @Test
  void deadLettersSayWhy() {
    int before = topics.readAll(DEAD).size();
    String good =
        "{\"type\":\"Metric\",\"metric\":\"d.one\",\"timestamp\":1763510401,\"value\":1,"
            + "\"tags\":{\"host\":\"a\"}}";
    String badInterval =
        "{\"type\":\"Rollup\",\"v\":1,\"metric\":\"d.one\",\"tags\":{\"host\":\"a\"},"
            + "\"timestamp\":1763510400,\"interval\":\"60m\",\"values\":{\"sum\":90}}";
    String further =
        badInterval
            .replace("60m", "1h")
            .replace("\"v\":1", "\"v\":2")
            .replace("\"sum\":90", "\"sum\":1,\"min\":2,\"max\":3,\"count\":4,\"p99\":5");
    JsonNode status =
        send(
            "not json",
            null,
            badInterval,
            badInterval.replace("60m", "1h").replace("sum", "median"),
            badInterval.replace("60m", "1h").replace("\"v\":1", "\"v\":4"),
            badInterval.replace("60m", "1h").replace("\"v\":1", "\"v\":3"),
            ARRAYS.replace("[3,4]", "[3]"),
            ARRAYS.replace("[3,4]", "[3,1e999]").replace("[5,6]", "[0,6]"),
            "[" + good + "," + ARRAYS.replace("1763510400", "1763510401") + "]",
            further.replace("\"p99\":5", "\"p90\":5"),
            further.replace("\"p99\":5", "\"median\":5"),
            further.replace("\"values\"", "\"histogram\":{},\"values\""),
            histogram(HistogramCodecs.SKETCH, new byte[] {1, 2, 3}),
            histogram("a.Codec", new byte[] {1, 2, 3}),
            histogram(HistogramCodecs.SKETCH, new Sketch().bytes()).replace("1h", "10m"),
            further.replace("\"count\":4,", ""),
            further.replace("\"p99\":5", "\"p99\":1e999"),
            badInterval.replace("60m", "1h").replace("1763510400", "1763510401"),
            badInterval.replace("60m", "1m"),
            "[" + good + "," + good.replace("d.one", "d one") + "]",
            good.replace("Metric", "Metrics"),
            good.replace(":1,", ":\"NaN\","),
            badInterval.replace("60m", "1h").replace("\"sum\":90", "\"sum\":90,\"count\":0"),
            badInterval
                .replace("60m", "1h")
                .replace("Rollup", "Aggregate")
                .replace("\"values\":{\"sum\":90}", "\"aggregator\":\"COUNT\",\"value\":-1"));
    List<String> reasons = new ArrayList<>();
    List<ConsumerRecord<byte[], byte[]>> dead = topics.readAll(DEAD);
    for (ConsumerRecord<byte[], byte[]> record : dead.subList(before, dead.size())) {
      reasons.add(header(record, "kafka-ingest.reason"));
      assertThat(header(record, "kafka-ingest.message")).isNotEmpty();
      assertThat(header(record, "kafka-ingest.topic")).isEqualTo(TOPIC);
      assertThat(header(record, "kafka-ingest.group")).isEqualTo("points");
      if (header(record, "kafka-ingest.element") != null) {
        assertThat(header(record, "kafka-ingest.element")).isEqualTo("1");
        assertThat(new String(record.value(), StandardCharsets.UTF_8))
            .isIn(good.replace("d.one", "d one"), ARRAYS.replace("1763510400", "1763510401"));
      }
    }
    assertThat(reasons)
        .containsExactlyInAnyOrder(
            "malformed",
            "empty",
            "unknownInterval",
            "unknownAggregator",
            "unsupportedVersion",
            "badField",
            "badField",
            "badValue",
            "badTimestamp",
            "unknownAggregator",
            "unknownAggregator",
            "badField",
            "badValue",
            "unknownCodec",
            "unknownInterval",
            "badField",
            "badValue",
            "badTimestamp",
            "unknownInterval",
            "refused",
            "unknownType",
            "badValue",
            "badValue",
            "badValue");
    assertThat(raw("d.one")).hasSize(1);
    JsonNode counts = status.get("messages");
    assertThat(counts.get("consumed").asLong())
        .isEqualTo(
            counts.get("stored").asLong()
                + counts.get("deadLettered").asLong()
                + counts.get("requeued").asLong()
                + counts.get("replayed").asLong());
  }

  /** A dead letter has more headers than its message, so these do not fit the same limit. */
  @Test
  void whatIsTooLargeForADeadLetterDoesNotHoldUpItsPartition() throws Exception {
    int before = topics.readAll(DEAD).size();
    // The largest that the topic takes; it cannot be compressed.
    byte[] garbage = new byte[1_048_400];
    Seed.random().nextBytes(garbage);
    sent += topics.send(List.of(new ProducerRecord<>(TOPIC, 0, null, garbage)));
    // 8 MB that are a kilobyte on their way.
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            IngestStack.get().kafka().bootstrapServers(),
            "max.request.size",
            "10000000",
            "compression.type",
            "zstd");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer
          .send(new ProducerRecord<>(TOPIC, 0, null, new byte[8_000_000]))
          .get(5, TimeUnit.MINUTES);
    }
    sent++;
    send(
        "{\"type\":\"Metric\",\"metric\":\"after.poison\",\"timestamp\":1763510401,\"value\":1,"
            + "\"tags\":{\"host\":\"a\"}}");
    assertThat(raw("after.poison")).hasSize(1);
    List<ConsumerRecord<byte[], byte[]>> dead = topics.readAll(DEAD);
    // The stub is a second try, and may be the second there.
    List<ConsumerRecord<byte[], byte[]>> both = new ArrayList<>(dead.subList(before, dead.size()));
    assertThat(both).extracting(ConsumerRecord::serializedValueSize).containsOnly(-1, 8_000_000);
    assertThat(both).hasSize(2);
    both.removeIf(record -> record.value() != null);
    ConsumerRecord<byte[], byte[]> stub = both.get(0);
    assertThat(header(stub, "kafka-ingest.leftOut")).isEqualTo("1048400");
    assertThat(header(stub, "kafka-ingest.reason")).isEqualTo("malformed");
    assertThat(header(stub, "kafka-ingest.topic")).isEqualTo(TOPIC);
    assertThat(header(stub, "kafka-ingest.partition")).isEqualTo("0");
    assertThat(header(stub, "kafka-ingest.offset")).isNotEmpty();
  }

  @Test
  void goodElementsAreStoredWhateverIsBesideThem() {
    int before = topics.readAll(DEAD).size();
    String good =
        "{\"type\":\"Metric\",\"metric\":\"o.one\",\"timestamp\":1763510401,\"value\":1,"
            + "\"tags\":{\"host\":\"a\"}}";
    send("[" + good + ",5,null," + good.replace("401", "402") + ",\"text\"]");
    List<ConsumerRecord<byte[], byte[]>> dead = topics.readAll(DEAD);
    assertThat(dead.subList(before, dead.size()))
        .extracting(record -> new String(record.value(), StandardCharsets.UTF_8))
        .containsExactlyInAnyOrder("5", "null", "\"text\"");
    assertThat(dead.subList(before, dead.size()))
        .extracting(record -> header(record, "kafka-ingest.element"))
        .containsExactlyInAnyOrder("1", "2", "4");
    assertThat(raw("o.one"))
        .singleElement()
        .satisfies(series -> assertThat(series.points()).hasSize(2));
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Test
  void showsAndChangesTheRate() {
    tsd.client().post("plugin/kafka-ingest/rate?rate=70000", null);
    assertThat(tsd.client().get("plugin/kafka-ingest/rate").get("points").asDouble())
        .isEqualTo(70000);
    assertThat(
            tsd.client()
                .post("plugin/kafka-ingest/rate?group=points&rate=123456", null)
                .get("points")
                .asDouble())
        .isEqualTo(123456);
    assertThatThrownBy(
            () -> tsd.client().post("plugin/kafka-ingest/rate?group=points&rate=-1", null))
        .isInstanceOf(TsdException.class)
        .hasMessageContaining("must be points per second");
    assertThatThrownBy(() -> tsd.client().post("plugin/kafka-ingest/rate?group=x&rate=1", null))
        .isInstanceOf(TsdException.class)
        .hasMessageContaining("[points]");
  }

  /** As a page of another site that a browser of the network shows would do it. */
  @Test
  void pagesOfOtherSitesDoNotChangeTheRate() throws Exception {
    double before = tsd.client().get("plugin/kafka-ingest/rate").get("points").asDouble();
    assertThat(postRate("X-Requested-By", "me", "Origin", "http://evil.example")).isEqualTo(403);
    assertThat(postRate("Content-Type", "application/x-www-form-urlencoded")).isEqualTo(403);
    assertThat(tsd.client().get("plugin/kafka-ingest/rate").get("points").asDouble())
        .isEqualTo(before);
    assertThat(postRate("X-Requested-By", "me", "Origin", "http://127.0.0.1:" + tsd.port()))
        .isEqualTo(200);
  }

  private static int postRate(String... headers) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + tsd.port() + "/plugin/kafka-ingest/rate?rate=54321");
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .headers(headers)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /** It stores nothing more, and a lag that is small now says nothing. */
  @Test
  void aGroupWithRateZeroIsNotReady() {
    awaitReady();
    tsd.client().post("plugin/kafka-ingest/rate?group=points&rate=0", null);
    try {
      assertThatThrownBy(() -> tsd.client().get("plugin/kafka-ingest/ready"))
          .isInstanceOf(TsdException.class)
          .hasMessageContaining("503")
          .hasMessageContaining("{\"points\":\"the group is stopped: its rate is 0\"}");
    } finally {
      tsd.client().post("plugin/kafka-ingest/rate?group=points&rate=100000", null);
    }
    awaitReady();
  }

  private static void awaitReady() {
    Await.until(
        "readiness",
        IngestStack.PATIENCE,
        () -> IngestStack.status(tsd.client(), "points").get("notReady").isNull());
    assertThat(tsd.client().get("plugin/kafka-ingest/ready").get("ready").asBoolean()).isTrue();
  }

  @Test
  void answersReadyAndStatistics() {
    tsd.client().put(List.of(new DataPoint("tsd.alive", HOUR, 1L, Map.of("a", "b"))));
    awaitReady();
    assertThat(tsd.client().stats().keySet())
        .anyMatch(key -> key.startsWith("tsd.kafka-ingest.messages"))
        .anyMatch(key -> key.startsWith("tsd.kafka-ingest.lag"));
  }

  @Test
  void answersPrometheus() throws Exception {
    send(
        "{\"type\":\"Metric\",\"metric\":\"prometheus\",\"timestamp\":1763510401,\"value\":1,"
            + "\"tags\":{\"host\":\"a\"}}");
    awaitReady();
    List<PrometheusScrape.Sample> samples =
        PrometheusScrape.of(
            URI.create("http://127.0.0.1:" + tsd.port() + "/plugin/kafka-ingest/metrics"));
    assertThat(samples)
        .allSatisfy(
            sample -> {
              assertThat(sample.name()).startsWith("kafka_ingest_");
              assertThat(sample.type()).isIn("counter", "gauge");
              assertThat(sample.help()).isNotEmpty();
              assertThat(sample.name().endsWith("_total"))
                  .isEqualTo(sample.type().equals("counter"));
            });
    assertThat(value(samples, "kafka_ingest_ready", Map.of("group", "points"))).isOne();
    assertThat(value(samples, "kafka_ingest_points_stored_total", Map.of("group", "points")))
        .isPositive();
    assertThat(
            value(
                samples,
                "kafka_ingest_lag_messages",
                Map.of("group", "points", "topic", TOPIC, "partition", "0")))
        .isZero();
  }

  private static double value(
      List<PrometheusScrape.Sample> samples, String name, Map<String, String> labels) {
    return samples.stream()
        .filter(sample -> sample.name().equals(name) && sample.labels().equals(labels))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " " + labels + " is not in " + samples))
        .value();
  }
}
