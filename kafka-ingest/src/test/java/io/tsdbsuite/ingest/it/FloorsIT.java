package io.tsdbsuite.ingest.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Ticker;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.ingest.it.StoredRollups.Rollup;
import io.tsdbsuite.ingest.mask.RawTtl;
import io.tsdbsuite.ingest.mask.TestFloors;
import io.tsdbsuite.ingest.store.ElementSink;
import io.tsdbsuite.ingest.store.ElementStore;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.OpenTsdbTables;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import net.opentsdb.core.TSDB;
import net.opentsdb.utils.Config;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.hbase.async.HBaseClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Rollups before the raw floor of their metric stay as they are: the raw points may be gone. The
 * floor is raised while the TSD runs.
 */
class FloorsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final TableName TABLE = TableName.valueOf("floors-coverage");
  private static final long DAY = 86_400;
  private static final long FLOOR = System.currentTimeMillis() / 1000 / DAY * DAY - 30 * DAY;
  private static final long BELOW = FLOOR - 5 * 3600;
  private static final long LAST_DAY = FLOOR - DAY;
  private static final Rollup SEVEN = new Rollup(7, 1, 1, 1);

  private static RepairStack stack;

  @BeforeAll
  static void start() throws IOException {
    try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
      OpenTsdbTables.of(Map.of("tsd.storage.hbase.data_table", "floors-none"))
          .coverage(TABLE.getNameAsString())
          .create(admin);
    }
    put("format", Map.of("version", "1"));
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin.coverage.table", TABLE.getNameAsString());
    conf.put("KafkaRpcPlugin.coverage.requestTopic", "floors-requests");
    stack = new RepairStack("floors", conf);
    for (String metric : List.of("floored.late", "floored.message")) {
      stack.store(
          "rollups",
          rollup(metric, "10m", BELOW, 7),
          rollup(metric, "1h", BELOW, 7),
          rollup(metric, "1d", LAST_DAY, 7));
      assertUnchanged(metric);
    }
    put("format", Map.of("version", "2"));
    put(
        "floor/raw/by-hand",
        Map.of(
            "before",
            String.format("%010d", FLOOR),
            "metrics",
            "floored.*",
            "evidence",
            "a test",
            "asOf",
            Long.toString(System.currentTimeMillis())));
    long dead = status().at("/messages/deadLettered").asLong();
    Await.until(
        "the floor to be obeyed",
        PATIENCE,
        () ->
            stack
                    .store("rollups", rollup("floored.probe", "1h", BELOW, 1))
                    .at("/messages/deadLettered")
                    .asLong()
                > dead);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  private static void put(String row, Map<String, String> columns) throws IOException {
    Put put = new Put(row.getBytes(UTF_8));
    columns.forEach(
        (column, value) ->
            put.addColumn("c".getBytes(UTF_8), column.getBytes(UTF_8), value.getBytes(UTF_8)));
    try (Table table = IngestStack.get().hbase().connection().getTable(TABLE)) {
      table.put(put);
    }
  }

  private static String rollup(String metric, String interval, long start, double sum) {
    return RepairStack.rollup(metric, interval, start, System.currentTimeMillis(), sum);
  }

  private static JsonNode status() {
    return stack.status("rollups");
  }

  private static void assertUnchanged(String metric) throws IOException {
    assertThat(StoredRollups.of("repair-10m", 600, metric)).isEqualTo(Map.of(BELOW, SEVEN));
    assertThat(StoredRollups.of("repair-1h", 3600, metric)).isEqualTo(Map.of(BELOW, SEVEN));
    assertThat(StoredRollups.of("repair-1d", DAY, metric)).isEqualTo(Map.of(LAST_DAY, SEVEN));
  }

  /** The reason and the error of each dead letter with this text in its value. */
  private static List<String> deadLetters(String text) {
    List<String> found = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : stack.topics().readAll(stack.deadLetters())) {
      if (new String(record.value(), UTF_8).contains(text)) {
        found.add(header(record, "reason") + ": " + header(record, "message"));
      }
    }
    return found;
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader("kafka-ingest." + name).value(), UTF_8);
  }

  /** The masks of a metric, without the TSUIDs' digits. */
  private static List<String> masks(String metric) throws IOException {
    return IngestStack.get().hbase().cells(TABLE.getNameAsString()).stream()
        .filter(cell -> new String(cell.row(), UTF_8).endsWith("/" + metric))
        .map(
            cell ->
                new String(cell.row(), UTF_8)
                    + " "
                    + new String(cell.qualifier(), UTF_8).replaceFirst("/[0-9A-F]{18}$", ""))
        .toList();
  }

  /** The sum of a statistic, of those with a tag. */
  private static long stat(String name, String tag) {
    return stack.tsd().client().stats().entrySet().stream()
        .filter(each -> each.getKey().startsWith("tsd.kafka-ingest." + name + " "))
        .filter(each -> (each.getKey() + " ").contains(" " + tag + " "))
        .mapToLong(each -> Long.parseLong(each.getValue()))
        .sum();
  }

  /** The repair would read that point alone. */
  @Test
  void aLatePointLeavesTheRollupAsItWas() throws IOException {
    String[] intervals = {"10m", "1h", "6h", "1d"};
    long sent = stat("masks.requests", "state=sent");
    stack.store("points", RepairStack.point("floored.late", BELOW + 5, 1000));
    assertThat(masks("floored.late")).containsExactly("mask/" + BELOW + "/floored.late late");
    assertThat(stat("masks.below_floor", "by=groups")).isEqualTo(1);
    JsonNode requests =
        stack.store("requests", RepairStack.request("floored.late", BELOW, intervals));
    assertUnchanged("floored.late");
    assertThat(deadLetters("\"floored.late\""))
        .containsExactly(
            String.format(
                "belowFloor: the first row of raw points of metric floored.late must begin at the"
                    + " floor of its raw data or later, %s, found %s",
                FLOOR, LAST_DAY));
    assertThat(masks("floored.late")).hasSize(1);
    // Above the floor, and of another metric.
    long old = requests.at("/repairs/repaired").asLong();
    stack.store(
        "points",
        RepairStack.point("floored.late", FLOOR + 5, 2),
        RepairStack.point("other.late", BELOW + 5, 3));
    Await.until(
        "their repairs",
        PATIENCE,
        () -> stack.status("requests").at("/repairs/repaired").asLong() == old + 2);
    assertThat(StoredRollups.of("repair-1h", 3600, "floored.late"))
        .isEqualTo(Map.of(BELOW, SEVEN, FLOOR, new Rollup(2, 2, 2, 1)));
    assertThat(StoredRollups.of("repair-1h", 3600, "other.late"))
        .isEqualTo(Map.of(BELOW, new Rollup(3, 3, 3, 1)));
    assertThat(stat("masks.requests", "state=sent")).isEqualTo(sent + 2);
    assertThat(masks("floored.late")).hasSize(1);
  }

  @Test
  void messagesDoNotChangeWhatBeginsBelowTheFloor() throws IOException {
    String metric = "floored.message";
    long refused = stat("dead_letters", "reason=belowFloor");
    String replaced = rollup(metric, "1h", BELOW, 8);
    String aggregate =
        "{\"type\":\"Aggregate\",\"metric\":\""
            + metric
            + "\",\"tags\":{\"host\":\"a\"},\"interval\":\"1d\",\"aggregator\":\"SUM\","
            + "\"value\":9,\"timestamp\":"
            + (FLOOR - 1)
            + "}";
    stack.store(
        "rollups",
        "["
            + String.join(
                ",",
                replaced,
                replaced.replaceAll("\"values\":.*", "\"values\":{}}"),
                rollup(metric, "1h", FLOOR, 10),
                aggregate,
                aggregate.replaceFirst("}$", ",\"tsdOrigin\":\"http\"}"))
            + "]",
        rollup(metric, "10m", FLOOR - 600, 11));
    List<String> dead = deadLetters(metric);
    assertThat(dead).hasSize(5).allMatch(each -> each.startsWith("belowFloor: a rollup of metric"));
    assertThat(dead)
        .contains(
            String.format(
                "belowFloor: a rollup of metric %s must begin at the floor of its raw data or"
                    + " later, %s, found %s",
                metric, FLOOR, LAST_DAY));
    assertThat(stat("dead_letters", "reason=belowFloor") - refused).isEqualTo(5);
    assertThat(masks(metric)).isEmpty();
    assertThat(StoredRollups.of("repair-10m", 600, metric)).isEqualTo(Map.of(BELOW, SEVEN));
    assertThat(StoredRollups.of("repair-1h", 3600, metric))
        .isEqualTo(Map.of(BELOW, SEVEN, FLOOR, new Rollup(10, 1, 1, 1)));
    assertThat(StoredRollups.of("repair-1d", DAY, metric)).isEqualTo(Map.of(LAST_DAY, SEVEN));
  }

  @Test
  void rollupsWaitWhileTheFloorsCannotBeRead() throws IOException {
    long failures = status().get("storageFailures").asLong();
    Map<Long, Rollup> expected = new TreeMap<>();
    try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
      admin.disableTable(TABLE);
      AtomicLong start = new AtomicLong(FLOOR);
      Await.until(
          "rollups to wait",
          PATIENCE,
          () -> {
            if (status().at("/messages/inFlight").asLong() == 0) {
              long next = start.getAndAdd(3600);
              stack.send("rollups", List.of(rollup("floored.waits", "1h", next, 7)));
              expected.put(next, SEVEN);
            }
            return status().get("storageFailures").asLong() > failures;
          });
      admin.enableTable(TABLE);
    }
    stack.await("rollups");
    assertThat(StoredRollups.of("repair-1h", 3600, "floored.waits")).isEqualTo(expected);
    assertThat(deadLetters("floored.waits")).isEmpty();
  }

  /** A repair may wait long for memory or HBase, and then read what is left. */
  @Test
  void aFloorThatIsRaisedBeforeRowsAreReadIsObeyed() throws Exception {
    Config config = new Config(false);
    IngestStack.rollups().forEach(config::overrideConfig);
    config.overrideConfig("tsd.core.auto_create_metrics", "true");
    HBaseClient client = new HBaseClient(IngestStack.get().hbase().zkQuorum());
    AtomicLong nanos = new AtomicLong(1_000_000_000_000L);
    Ticker ticker =
        new Ticker() {
          @Override
          public long read() {
            return nanos.get();
          }
        };
    TestFloors floors = new TestFloors(Clock.systemUTC(), ticker);
    floors.read(0, "*");
    AtomicInteger asked = new AtomicInteger();
    Clock clock =
        new Clock() {
          @Override
          public Instant instant() {
            if (asked.incrementAndGet() == 2) {
              // The TTL was looked at; now the time of reading is asked for.
              nanos.addAndGet(30_000_000_000L);
              floors.read(FLOOR, "raised");
            }
            return Clock.systemUTC().instant();
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }

          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }
        };
    try {
      TSDB tsdb = new TSDB(client, config);
      Object unused =
          tsdb.addPoint("raised", BELOW + 5, 1L, Map.of("host", "a")).join(PATIENCE.toMillis());
      ElementSink repairs =
          new ElementStore(tsdb, Clock.systemUTC(), true, floors.floors())
              .repairs(new RawTtl(RawTtl.FOREVER), clock, null);
      Element request =
          new MessageReader(MessageLimits.DEFAULT)
              .read(RepairStack.request("raised", BELOW, "1h").getBytes(UTF_8))
              .get(0);
      Deferred<Object> answer =
          repairs.store(request, System.currentTimeMillis(), repairs.newBatch());
      BadMessageException refused =
          catchThrowableOfType(BadMessageException.class, () -> answer.join(PATIENCE.toMillis()));
      assertThat(refused.reason()).isEqualTo(Reason.BELOW_FLOOR);
      assertThat(StoredRollups.of("tsdb-rollup-1h", 3600, "raised")).isEmpty();
    } finally {
      Object unused = client.shutdown().join(PATIENCE.toMillis());
    }
  }
}
