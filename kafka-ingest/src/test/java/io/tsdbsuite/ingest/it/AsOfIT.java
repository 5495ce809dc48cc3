package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.message.write.SeriesMessage;
import io.tsdbsuite.message.write.SeriesText;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The newest reading of an interval stays, in whatever order the messages come, and may be that
 * nothing is left of it.
 */
class AsOfIT {
  private static final long HOUR = 1763510400L;
  private static final String TOPIC = "as-of";
  private static final String TABLE = "as-of-rollup-1h";

  // A day after the hour, and a minute apart.
  private static final long FIRST = (HOUR + 86_400) * 1000;
  private static final long SECOND = FIRST + 60_000;
  private static final long THIRD = SECOND + 60_000;

  private static TsdServer tsd;

  /** In its queries of raw points cells outside of their own hour are not seen. */
  private static TsdServer dateTiered;

  private static KafkaTopics topics;
  private static long sent;

  @BeforeAll
  static void start() {
    topics = IngestStack.get().kafka().topics();
    topics.create(TOPIC, 1);
    Map<String, String> conf = new TreeMap<>();
    conf.put(
        "tsd.rollups.config",
        IngestStack.ROLLUP_CONFIG.replace("\"tsdb-rollup-1h\"", "\"" + TABLE + "\""));
    conf.put("KafkaRpcPlugin.groups", TOPIC);
    conf.put("KafkaRpcPlugin." + TOPIC + ".topics", TOPIC);
    conf.put("KafkaRpcPlugin.deadLetterTopic", "nobody");
    tsd = IngestStack.tsd("as-of", conf);
    Map<String, String> queries = IngestStack.rollups();
    queries.put("tsd.rollups.config", conf.get("tsd.rollups.config"));
    queries.put("tsd.storage.use_otsdb_timestamp", "true");
    dateTiered = IngestStack.get().startTsd("as-of-date-tiered", queries, List.of());
  }

  @AfterAll
  static void stop() {
    tsd.stop();
    dateTiered.stop();
  }

  @Test
  void theNewestReadingStaysInAnyOrder() throws IOException {
    String metric = "as.of.order";
    send(rollup(metric, SECOND, 2), rollup(metric, FIRST, 1));
    assertSum(metric, 2.0);
    // Once more, as after a restart.
    send(rollup(metric, FIRST, 1), rollup(metric, SECOND, 2), rollup(metric, FIRST, 1));
    assertSum(metric, 2.0);
    assertThat(cells(metric)).hasSize(2).allMatch(cell -> cell.timestamp() == SECOND);
    send(rollup(metric, THIRD, 3));
    send(rollup(metric, SECOND, 2));
    assertSum(metric, 3.0);
    assertThat(cells(metric)).hasSize(2).allMatch(cell -> cell.timestamp() == THIRD);
    // Of one reading the later message.
    send(rollup(metric, THIRD, 4));
    assertSum(metric, 4.0);
    // Without asOf the time of the write, which is later than any of these.
    send(rollup(metric, null, 5), rollup(metric, THIRD, 4));
    assertSum(metric, 5.0);
  }

  @Test
  void aReadingInTheFutureDoesNotHideLaterOnes() throws IOException {
    String metric = "as.of.future";
    long future = 9_000_000_000_000L;
    send(rollup(metric, future, 1));
    assertThat(cells(metric)).hasSize(2).allMatch(cell -> cell.timestamp() < future);
    send(rollup(metric, future, 2));
    assertSum(metric, 2.0);
  }

  @Test
  void aRollupIsTakenBack() throws IOException {
    String metric = "as.of.deleted";
    long before = deleted();
    send(rollup(metric, SECOND, 2), deletion(metric, FIRST));
    assertSum(metric, 2.0);
    send(deletion(metric, THIRD), rollup(metric, SECOND, 2));
    assertSum(metric);
    assertThat(cells(metric)).isEmpty();
    // Of one reading the deletion stays.
    send(rollup(metric, THIRD, 3));
    assertSum(metric);
    send(rollup(metric, THIRD + 1, 4));
    assertSum(metric, 4.0);
    send(deletion(metric, THIRD + 1));
    assertSum(metric);
    assertThat(deleted() - before).isEqualTo(3);
    assertThat(tsd.client().stats())
        .anySatisfy(
            (key, value) -> {
              assertThat(key).startsWith("tsd.kafka-ingest.rollups.deleted");
              assertThat(value).isEqualTo(Long.toString(deleted()));
            });
  }

  /** As rollup-job sends them with --rollups-per-message: both forms store and count the same. */
  @Test
  void theHoursOfASeriesInOneMessage() throws IOException {
    List<Object> separate = hours("as.of.hours", false);
    assertThat(hours("as.of.arrays", true)).isEqualTo(separate);
  }

  /** The cells of 24 hours, but for the metric's UID, and what the TSD has counted. */
  private static List<Object> hours(String metric, boolean arrays) throws IOException {
    RollupPoint series = new RollupPoint();
    series.metric().set(metric.getBytes(StandardCharsets.ISO_8859_1));
    int tag = series.addTag();
    series.tagKey(tag).set("host".getBytes(StandardCharsets.ISO_8859_1));
    series.tagValue(tag).set("a".getBytes(StandardCharsets.ISO_8859_1));
    SeriesMessage message = new SeriesMessage(SECOND, arrays);
    message.begin(SeriesText.of(series));
    Map<Long, StoredRollups.Rollup> expected = new TreeMap<>();
    for (int hour = 0; hour < 24; hour++) {
      long start = HOUR + 3600L * hour;
      if (hour == 7) {
        message.add(start, "1h", RollupValues.of(0, 0, 0, 0));
      } else if (hour != 9) {
        message.add(start, "1h", RollupValues.of(hour + 0.1, -hour, hour, hour + 1));
        expected.put(start, new StoredRollups.Rollup(hour + 0.1, -hour, hour, hour + 1));
      }
    }
    assertThat(message.rollups()).isEqualTo(23);
    send(rollup(metric, FIRST, 1).replace(Long.toString(HOUR), Long.toString(HOUR + 7 * 3600)));
    JsonNode before = IngestStack.status(tsd.client(), TOPIC);
    String text = new String(message.toByteArray(), StandardCharsets.UTF_8);
    assertThat(text).startsWith(arrays ? "{\"type\":\"Rollup\",\"v\":3," : "[");
    send(text, text);
    JsonNode after = IngestStack.status(tsd.client(), TOPIC);
    assertThat(StoredRollups.of(TABLE, 3600, metric)).isEqualTo(expected);
    List<RawCell> cells = cells(metric);
    assertThat(cells).hasSize(4 * 22).allMatch(cell -> cell.timestamp() == SECOND);
    List<Object> all = new ArrayList<>();
    for (RawCell cell : cells) {
      all.add(HexFormat.of().formatHex(cell.row(), 3, cell.row().length));
      all.add(HexFormat.of().formatHex(cell.qualifier()));
      all.add(HexFormat.of().formatHex(cell.value()));
    }
    for (String count : List.of("/rollupsDeleted", "/points/stored", "/messages/stored")) {
      all.add(after.at(count).asLong() - before.at(count).asLong());
    }
    assertThat(all).endsWith(2L, 2L * 4 * 22, 2L);
    return all;
  }

  @Test
  void aDeletionTakesCellsOfOtherWidths() throws IOException {
    String metric = "as.of.widths";
    send(rollup(metric, SECOND, 2));
    for (long value : new long[] {5, 300, 70_000, 5_000_000_000L}) {
      putByHttp(metric, "sum", value);
    }
    putByHttp(metric, "max", 0.1);
    putByHttp(metric, "count", 7L);
    send(rollup(metric, FIRST, 2).replace(Long.toString(HOUR), Long.toString(HOUR + 3600)));
    Await.until(
        "all widths and the next hour", IngestStack.PATIENCE, () -> cells(metric).size() == 10);
    send(deletion(metric, null));
    assertThat(cells(metric))
        .describedAs("the next hour stays")
        .hasSize(2)
        .allMatch(cell -> cell.timestamp() == FIRST);
  }

  private static void putByHttp(String metric, String aggregator, Number value) {
    tsd.client()
        .putRollup(new DataPoint(metric, HOUR, value, Map.of("host", "a")), "1h", aggregator);
  }

  private static String rollup(String metric, Long asOf, int sum) {
    return message(metric, asOf, "\"sum\":" + sum + ",\"count\":1");
  }

  private static String deletion(String metric, Long asOf) {
    return message(metric, asOf, "");
  }

  private static String message(String metric, Long asOf, String values) {
    return "{\"type\":\"Rollup\",\"v\":1,\"metric\":\""
        + metric
        + "\",\"tags\":{\"host\":\"a\"},\"timestamp\":"
        + HOUR
        + ",\"interval\":\"1h\","
        + (asOf == null ? "" : "\"asOf\":" + asOf + ",")
        + "\"values\":{"
        + values
        + "}}";
  }

  private static synchronized void send(String... messages) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (String message : messages) {
      records.add(new ProducerRecord<>(TOPIC, message.getBytes(StandardCharsets.UTF_8)));
    }
    sent += topics.send(records);
    JsonNode status = IngestStack.awaitCaughtUp(tsd, TOPIC, sent);
    assertThat(status.at("/messages/deadLettered").asLong()).isZero();
  }

  private static long deleted() {
    return IngestStack.status(tsd.client(), TOPIC).get("rollupsDeleted").asLong();
  }

  /** Of both TSDs: no sum, or this one. */
  private static void assertSum(String metric, Double... expected) {
    for (TsdServer each : List.of(tsd, dateTiered)) {
      List<Double> sums = new ArrayList<>();
      for (Series series :
          each.client().query(QuerySpec.of(metric, HOUR, HOUR + 3598).downsample("1h-sum"))) {
        sums.addAll(series.points().values());
      }
      assertThat(sums).as(each.name()).containsExactly(expected);
    }
  }

  private static List<RawCell> cells(String metric) throws IOException {
    byte[] uid = new Uids().metric(metric);
    List<RawCell> cells = new ArrayList<>();
    for (RawCell cell : IngestStack.get().hbase().cells(TABLE)) {
      if (Arrays.equals(Arrays.copyOf(cell.row(), uid.length), uid)) {
        cells.add(cell);
      }
    }
    return cells;
  }
}
