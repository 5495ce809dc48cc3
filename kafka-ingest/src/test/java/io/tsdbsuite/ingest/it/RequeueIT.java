package io.tsdbsuite.ingest.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.TelnetClient;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;

/**
 * A table that refuses every write while all others take theirs: its messages wait in the requeue
 * topic. All plugins are in one TSD.
 */
class RequeueIT {
  private static final long DAY = 1763510400L;
  private static final long DELAY_MILLIS = 1_500;
  private static final int REQUEUES = 2;
  private static final TableName BROKEN = TableName.valueOf("requeue-rollup-10m");
  private static final TableName BROKEN_DATA = TableName.valueOf("requeue-data");

  private final KafkaTopics topics = IngestStack.get().kafka().topics();

  @Test
  void triesAgainAfterTheDelayAndGivesUpInTheEnd() throws IOException {
    makeTableWithoutItsFamily(BROKEN);
    makeTableWithoutItsFamily(BROKEN_DATA);
    topics.create("requeue-in", 1);
    topics.create("requeue-again", 1);
    topics.create("requeue-dead", 1);
    TsdServer tsd = IngestStack.tsd("requeue", conf());

    topics.send(List.of(message("never", "10m"), message("other", "1h")));
    List<ConsumerRecord<byte[], byte[]>> dead = await("requeue-dead", 1);
    List<ConsumerRecord<byte[], byte[]>> tries = topics.readAll("requeue-again");
    assertThat(tries).extracting(record -> number(record, "attempt")).containsExactly(1L, 2L);
    long first = number(tries.get(0), "requeuedAt");
    long second = number(tries.get(1), "requeuedAt");
    assertThat(second - first).isGreaterThanOrEqualTo(DELAY_MILLIS);
    assertThat(dead.get(0).timestamp() - second).isGreaterThanOrEqualTo(DELAY_MILLIS);
    assertThat(number(tries.get(1), "firstReadAt")).isEqualTo(number(tries.get(0), "firstReadAt"));
    assertThat(header(dead.get(0), "reason")).isEqualTo("storage");
    assertThat(header(dead.get(0), "group")).isEqualTo("again");
    assertThat(header(dead.get(0), "message")).contains("NoSuchColumnFamily");
    assertThat(dead.get(0).value()).isEqualTo(message("never", "10m").value());
    assertThat(tries).allSatisfy(t -> assertThat(t.key()).isEqualTo("never".getBytes(UTF_8)));
    // The message behind it was not held up.
    assertThat(sums(tsd, "requeue.other", "1h")).hasSize(1);

    // None of them is tried again, and given up, before all are in the topic.
    tsd.client().post("plugin/kafka-ingest/rate?group=again&rate=0", null);
    topics.send(List.of(message("later", "10m")));
    putByHttp(tsd);
    assertThatThrownBy(() -> tsd.client().put(List.of(raw("http", 1.5))))
        .isInstanceOf(TsdException.class);
    putByTelnet(tsd, raw("telnet", 1.5));
    await("requeue-again", tries.size() + 4);
    addFamily(BROKEN);
    addFamily(BROKEN_DATA);
    tsd.client().post("plugin/kafka-ingest/rate?group=again&rate=1000", null);
    Await.until(
        "both are stored by a later try",
        IngestStack.PATIENCE,
        () ->
            sums(tsd, "requeue.later", "10m").size() == 1
                && sums(tsd, "requeue.http", "10m").size() == 1
                && cells(BROKEN_DATA).size() == 2);
    // On the width of the TSD's own write, which may have got through all the same.
    assertThat(cells(BROKEN_DATA))
        .extracting(cell -> cell.value().length)
        .containsExactlyInAnyOrder(8, 4);
    assertThat(cells(BROKEN)).extracting(cell -> cell.value().length).contains(1);
    int rollups = cells(BROKEN).size();
    tsd.client().put(List.of(raw("http", 1.5)));
    putByTelnet(tsd, raw("telnet", 1.5), raw("last", 1L));
    tsd.client()
        .putRollup(new DataPoint("requeue.http", DAY, 5L, Map.of("host", "a")), "10m", "sum");
    Await.until("the same again", IngestStack.PATIENCE, () -> cells(BROKEN_DATA).size() >= 3);
    assertThat(cells(BROKEN_DATA)).describedAs("the same, and the last").hasSize(3);
    assertThat(cells(BROKEN)).hasSize(rollups);
    Await.until(
        "the group that tries again has committed",
        IngestStack.PATIENCE,
        () -> topics.lag("again", "requeue-again") == 0);
    assertThat(topics.readAll("requeue-dead")).hasSize(1);
    assertThat(tsd.client().stats())
        .containsEntry(
            "tsd.kafka-ingest.seh.points plugin=storageExceptionHandler state=requeued", "3")
        .containsEntry(
            "tsd.kafka-ingest.seh.points plugin=storageExceptionHandler state=lost", "0");
    // A library that the TSD has in another version would show up here.
    assertThat(tsd.logTail())
        .doesNotContain("LinkageError", "NoClassDefFound", "NoSuchMethod", "ClassNotFound");
    tsd.stop();
  }

  private static Map<String, String> conf() {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.storage.hbase.data_table", BROKEN_DATA.getNameAsString());
    conf.put(
        "tsd.rollups.config",
        IngestStack.ROLLUP_CONFIG
            .replace("\"tsdb\"", "\"" + BROKEN_DATA + "\"")
            .replace("\"tsdb-rollup-10m\"", "\"" + BROKEN + "\""));
    conf.put("tsd.core.storage_exception_handler.enable", "true");
    conf.put(
        "tsd.core.storage_exception_handler.plugin",
        "io.tsdbsuite.ingest.KafkaStorageExceptionHandler");
    conf.put("KafkaRpcPlugin.seh.topic.default", "requeue-again");
    conf.put("KafkaRpcPlugin.groups", "in,again");
    conf.put("KafkaRpcPlugin.deadLetterTopic", "requeue-dead");
    conf.put("KafkaRpcPlugin.requeueDelay", Long.toString(DELAY_MILLIS));
    conf.put("KafkaRpcPlugin.in.topics", "requeue-in");
    conf.put("KafkaRpcPlugin.in.consumerType", "ROLLUP");
    conf.put("KafkaRpcPlugin.in.requeueTopic", "requeue-again");
    conf.put("KafkaRpcPlugin.again.topics", "requeue-again");
    conf.put("KafkaRpcPlugin.again.consumerType", "REQUEUE_ROLLUP");
    conf.put("KafkaRpcPlugin.again.maxRequeues", Integer.toString(REQUEUES));
    return conf;
  }

  private static void makeTableWithoutItsFamily(TableName table) throws IOException {
    try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("x"))
              .build());
    }
  }

  private static void addFamily(TableName table) throws IOException {
    try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
      admin.addColumnFamily(table, ColumnFamilyDescriptorBuilder.of("t"));
    }
  }

  private static ProducerRecord<byte[], byte[]> message(String name, String interval) {
    String message =
        "{\"type\":\"Rollup\",\"v\":1,\"metric\":\"requeue."
            + name
            + "\",\"tags\":{\"host\":\"a\"},\"timestamp\":"
            + DAY
            + ",\"interval\":\""
            + interval
            + "\",\"values\":{\"sum\":5,\"count\":1}}";
    return new ProducerRecord<>("requeue-in", name.getBytes(UTF_8), message.getBytes(UTF_8));
  }

  /** The TSD's own way into the broken table; the handler takes what does not get through. */
  private static void putByHttp(TsdServer tsd) {
    DataPoint point = new DataPoint("requeue.http", DAY, 5L, Map.of("host", "a"));
    assertThatThrownBy(() -> tsd.client().putRollup(point, "10m", "sum"))
        .isInstanceOf(TsdException.class)
        .hasMessageContaining("did not store");
  }

  private static DataPoint raw(String name, Number value) {
    return new DataPoint("requeue.raw." + name, DAY + 1, value, Map.of("host", "a"));
  }

  private static void putByTelnet(TsdServer tsd, DataPoint... points) {
    try (TelnetClient telnet = new TelnetClient(tsd.port())) {
      telnet.put(List.of(points));
    }
  }

  private static List<RawCell> cells(TableName table) throws IOException {
    return IngestStack.get().hbase().cells(table.getNameAsString());
  }

  private static List<Series> sums(TsdServer tsd, String metric, String interval) {
    return tsd.client().query(QuerySpec.of(metric, DAY, DAY + 3598).downsample(interval + "-sum"));
  }

  private List<ConsumerRecord<byte[], byte[]>> await(String topic, int records) {
    Await.until(
        records + " records in " + topic,
        IngestStack.PATIENCE,
        () -> topics.endOffsets(topic).get(0) >= records);
    return topics.readAll(topic);
  }

  private static long number(ConsumerRecord<byte[], byte[]> record, String name) {
    return Long.parseLong(header(record, name));
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader("kafka-ingest." + name);
    return header == null ? null : new String(header.value(), UTF_8);
  }
}
