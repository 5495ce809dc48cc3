package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/**
 * A day that is rolled up a second time, with points that came late: the sums of the first time fit
 * one byte, those of the second time four. Duplicates are errors for these TSDs.
 */
class RollupTwiceIT {
  private static final long DAY = 1763510400L;
  private static final int HOURS = 24;
  private static final int SERIES = 10;

  /** The hour whose sum comes by HTTP. */
  private static final int STOCK_HOUR = HOURS - 1;

  @Test
  void queriesAnswerWithTheNewValues() throws IOException {
    rollUpTwice("twice-plain", Map.of());
  }

  @Test
  void queriesAnswerWithSaltAndWideUids() throws IOException {
    rollUpTwice(
        "twice-salted",
        Map.of(
            "tsd.storage.salt.width",
            "1",
            "tsd.storage.salt.buckets",
            "20",
            "tsd.storage.uid.width.metric",
            "4",
            "tsd.storage.uid.width.tagk",
            "2",
            "tsd.storage.uid.width.tagv",
            "4"));
  }

  private static void rollUpTwice(String name, Map<String, String> schema) throws IOException {
    KafkaTopics topics = IngestStack.get().kafka().topics();
    topics.create(name, 2);
    TsdServer tsd = IngestStack.tsd(name, conf(name, schema));
    topics.send(day(name, 5, 60));
    IngestStack.awaitCaughtUp(tsd, name, day(name, 5, 60).size());
    assertAnswers(tsd, name, 5, 60);
    topics.send(day(name, 70_000, 90));
    IngestStack.awaitCaughtUp(tsd, name, 2L * day(name, 70_000, 90).size());
    assertAnswers(tsd, name, 70_000, 90);
    theTsdFindsTheSameRows(tsd, name);
    stockRollupsOfAnotherWidthAreErrors(tsd, name);
    tsd.stop();
    if (!schema.isEmpty()) {
      aNewGroupDoesNotStoreThemOnceMore(name, schema);
    }
  }

  /**
   * As after opentsdb-rpc-kafka: the topic is read, its rollups are stored on the TSD's own widths,
   * and the new group has no offsets.
   */
  private static void aNewGroupDoesNotStoreThemOnceMore(String name, Map<String, String> schema)
      throws IOException {
    Map<String, String> conf = conf(name, schema);
    String group = name + "-again";
    conf.put("KafkaRpcPlugin.groups", group);
    conf.put("KafkaRpcPlugin." + group + ".topics", name);
    conf.put("KafkaRpcPlugin." + group + ".consumerType", "ROLLUP");
    conf.keySet().removeIf(key -> key.equals("KafkaRpcPlugin." + name + ".topics"));
    String repairs = name + "-repairs";
    IngestStack.get().kafka().topics().create(repairs, 1);
    conf.put("KafkaRpcPlugin.groups", group + "," + repairs);
    conf.put("KafkaRpcPlugin." + repairs + ".topics", repairs);
    conf.put("KafkaRpcPlugin." + repairs + ".consumerType", "REPAIR");
    conf.put("KafkaRpcPlugin.repairTtl", "forever");
    int before = cells(name + "-rollup-1h").size();
    TsdServer tsd = IngestStack.tsd(group, conf);
    Await.until(
        "the group says why it does not begin",
        IngestStack.PATIENCE,
        () ->
            IngestStack.status(tsd.client(), group)
                .get("notReady")
                .asText()
                .contains("rollups are stored on other widths"));
    assertThat(tsd.logTail()).contains("on other widths than this plugin does");
    Await.until(
        "nor does a group that writes rollups again",
        IngestStack.PATIENCE,
        () ->
            IngestStack.status(tsd.client(), repairs)
                .get("notReady")
                .asText()
                .contains("A repair of their intervals would store them twice"));
    assertThat(IngestStack.status(tsd.client(), group).at("/messages/consumed").asLong()).isZero();
    assertThat(cells(name + "-rollup-1h")).hasSize(before);
    assertThat(tsd.client().stats())
        .anySatisfy(
            (key, value) -> {
              assertThat(key).startsWith("tsd.kafka-ingest.rollups.other_widths");
              assertThat(Long.parseLong(value)).isPositive();
            });
    tsd.stop();
  }

  private static Map<String, String> conf(String name, Map<String, String> schema) {
    Map<String, String> conf = new TreeMap<>(schema);
    // A new table costs a second: what stays empty is shared.
    String data = "tsdb";
    if (!schema.isEmpty()) {
      data = name + "-data";
      conf.put("tsd.storage.hbase.data_table", data);
      conf.put("tsd.storage.hbase.uid_table", name + "-uid");
    }
    conf.put(
        "tsd.rollups.config",
        IngestStack.ROLLUP_CONFIG
            // The table of the default interval has to be that of raw points.
            .replace("\"tsdb\"", "\"" + data + "\"")
            .replace("\"tsdb-rollup-1h\"", "\"" + name + "-rollup-1h\""));
    conf.put("tsd.storage.fix_duplicates", "false");
    conf.put("KafkaRpcPlugin.groups", name);
    conf.put("KafkaRpcPlugin." + name + ".topics", name);
    conf.put("KafkaRpcPlugin.deadLetterTopic", "nobody");
    return conf;
  }

  /** What the rollup job sends for a day, in one of its two formats. */
  private static List<ProducerRecord<byte[], byte[]>> day(String name, int sum, int count) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int series = 0; series < SERIES; series++) {
      for (int hour = 0; hour < STOCK_HOUR; hour++) {
        String point =
            String.format(
                Locale.ROOT,
                "\"metric\":\"%s\",\"tags\":{\"host\":\"h%d\"},\"timestamp\":%d,\"interval\":\"1h\"",
                name,
                series,
                DAY + hour * 3600L);
        if (series % 2 == 0) {
          records.add(
              record(
                  name,
                  String.format(
                      Locale.ROOT,
                      "{\"type\":\"Rollup\",\"v\":1,%s,\"values\":"
                          + "{\"sum\":%d,\"min\":%d,\"max\":%d,\"count\":%d}}",
                      point,
                      sum + hour,
                      -sum,
                      sum,
                      count)));
        } else {
          records.add(aggregate(name, point, "SUM", sum + hour));
          records.add(aggregate(name, point, "MIN", -sum));
          records.add(aggregate(name, point, "MAX", sum));
          records.add(aggregate(name, point, "COUNT", count));
        }
      }
    }
    return records;
  }

  private static ProducerRecord<byte[], byte[]> aggregate(
      String topic, String point, String aggregator, int value) {
    return record(
        topic,
        String.format(
            Locale.ROOT,
            "{\"type\":\"Aggregate\",%s,\"aggregator\":\"%s\",\"value\":%d}",
            point,
            aggregator,
            value));
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, String message) {
    // One key: the second day must not overtake the first.
    return new ProducerRecord<>(topic, new byte[1], message.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertAnswers(TsdServer tsd, String metric, int sum, int count) {
    assertHours(tsd, metric, "1h-sum", hour -> sum + hour);
    assertHours(tsd, metric, "1h-min", hour -> -sum);
    assertHours(tsd, metric, "1h-max", hour -> sum);
    assertHours(tsd, metric, "1h-count", hour -> count);
    assertHours(tsd, metric, "1h-avg", hour -> (sum + hour) / (double) count);
    double day = IntStream.range(0, STOCK_HOUR).mapToDouble(hour -> sum + hour).sum();
    assertThat(query(tsd, metric, "1d-sum"))
        .hasSize(SERIES)
        .allSatisfy(
            series -> assertThat(series.points()).isEqualTo(new TreeMap<>(Map.of(millis(0), day))));
  }

  private static void assertHours(
      TsdServer tsd, String metric, String downsample, IntToDoubleFunction expected) {
    Map<Long, Double> points = new TreeMap<>();
    for (int hour = 0; hour < STOCK_HOUR; hour++) {
      points.put(millis(hour), expected.applyAsDouble(hour));
    }
    assertThat(query(tsd, metric, downsample))
        .as(downsample)
        .hasSize(SERIES)
        .allSatisfy(series -> assertThat(series.points()).isEqualTo(points));
  }

  private static long millis(int hour) {
    return (DAY + hour * 3600L) * 1000;
  }

  private static List<Series> query(TsdServer tsd, String metric, String downsample) {
    return tsd.client()
        .query(QuerySpec.of(metric, DAY, DAY + HOURS * 3600L - 2).downsample(downsample));
  }

  private static DataPoint stock(String metric, int series, Object value) {
    return new DataPoint(metric, DAY + STOCK_HOUR * 3600L, value, Map.of("host", "h" + series));
  }

  /** A sum that comes by HTTP lands in the row of those that came by Kafka. */
  private static void theTsdFindsTheSameRows(TsdServer tsd, String metric) throws IOException {
    for (int series = 0; series < SERIES; series++) {
      tsd.client().putRollup(stock(metric, series, (long) series), "1h", "sum");
    }
    String table = metric + "-rollup-1h";
    Await.until(
        "the rollups that came by HTTP",
        IngestStack.PATIENCE,
        () -> cells(table).size() == SERIES * (4 * STOCK_HOUR + 1));
    Map<String, Long> cellsOfRows =
        cells(table).stream()
            .collect(
                Collectors.groupingBy(
                    cell -> HexFormat.of().formatHex(cell.row()), Collectors.counting()));
    assertThat(cellsOfRows).hasSize(SERIES);
    assertThat(cellsOfRows.values()).containsOnly(4L * STOCK_HOUR + 1);
    assertThat(query(tsd, metric, "1h-sum"))
        .hasSize(SERIES)
        .allSatisfy(series -> assertThat(series.points()).hasSize(HOURS));
  }

  private static List<RawCell> cells(String table) throws IOException {
    return IngestStack.get().hbase().cells(table);
  }

  /** The same values without the plugin: this is what it is there for. */
  private static void stockRollupsOfAnotherWidthAreErrors(TsdServer tsd, String metric)
      throws IOException {
    int before = cells(metric + "-rollup-1h").size();
    tsd.client().putRollup(stock(metric + ".stock", 0, 5L), "1h", "sum");
    tsd.client().putRollup(stock(metric + ".stock", 0, 70_000L), "1h", "sum");
    Await.until(
        "both columns",
        IngestStack.PATIENCE,
        () -> cells(metric + "-rollup-1h").size() == before + 2);
    assertThatThrownBy(() -> query(tsd, metric + ".stock", "1h-sum"))
        .isInstanceOf(TsdException.class)
        .hasMessageContaining("is <= the last offset");
  }
}
