package io.tsdbsuite.ingest.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.PackedCells;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The packed rollups of a TSD are those of its plain tables, whatever it stores. */
class PackedIT {
  private static final long HOUR = 3600;
  private static final long DAY = 86_400;
  private static final long DAY0 = System.currentTimeMillis() / 1000 / DAY * DAY - 5 * DAY;

  /** Times of reading, a second apart: a day ago. */
  private static final long AS_OF = (DAY0 + 4 * DAY) * 1000;

  private static final List<String> PACKED = List.of("10m", "1h", "1d");
  private static final String[] ALL = {"10m", "1h", "6h", "1d"};
  private static final String TWO = "packed-two";
  private static final TableName COVERAGE = TableName.valueOf("packed-coverage");
  private static final TableName HOURS = TableName.valueOf("packed-k-1h");

  /** All but 6h are packed; {@code *.more} have two further aggregators of 1h and 1d. */
  private static final String PLAIN_CONFIG =
      RepairStack.ROLLUP_CONFIG
          .replace("\"repair-", "\"packed-plain-")
          .replace("\"max\":4", "\"max\":4,\"p50\":10,\"p99\":11,\"first\":12");

  private static final String CONFIG =
      PLAIN_CONFIG.replace(
          "\"intervals\":[{",
          "\"suite\":{\"values\":[{\"metrics\":\"*.more\",\"intervals\":\"1h,1d\","
              + "\"aggregators\":\"p99,first\"}],\"packed\":{\"10m\":\"packed-k-10m\","
              + "\"1h\":\"packed-k-1h\",\"1d\":\"packed-k-1d\"}},\"intervals\":[{");

  private static PackedCells cells;
  private static RepairStack stack;

  @BeforeAll
  static void start() throws IOException {
    cells = new PackedCells(IngestStack.get().hbase(), RollupConfig.parse(CONFIG));
    try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
      OpenTsdbTables.of(Map.of("tsd.storage.hbase.data_table", "packed-none"))
          .coverage(COVERAGE.getNameAsString())
          .create(admin);
    }
    put("format", Map.of("version", "3"));
    CoverageWindow window =
        CoverageWindow.of(
            "1h.packed", DAY0 - DAY, DAY0, "w", "packed-k-1h", AS_OF, "packed.masked*", "a test");
    put(CoverageRows.windowRow("1h.packed", DAY0 - DAY, "w"), CoverageRows.columns(window));
    IngestStack.get().kafka().topics().create(TWO, 2);
    Map<String, String> conf = conf(CONFIG);
    conf.put("KafkaRpcPlugin.groups", "packed-points,packed-rollups,packed-requests," + TWO);
    conf.putAll(two());
    stack = new RepairStack("packed", conf);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  private static Map<String, String> conf(String rollups) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.rollups.config", rollups);
    conf.put("KafkaRpcPlugin.coverage.table", COVERAGE.getNameAsString());
    return conf;
  }

  /** A group in two TSDs, one of which is killed. */
  private static Map<String, String> two() {
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin." + TWO + ".topics", TWO);
    conf.put("KafkaRpcPlugin." + TWO + ".consumerType", "ROLLUP");
    conf.put("KafkaRpcPlugin." + TWO + ".threads", "1");
    conf.put("KafkaRpcPlugin." + TWO + ".rate", "4000");
    conf.put("KafkaRpcPlugin.kafka." + TWO + ".session.timeout.ms", "6000");
    return conf;
  }

  private static void put(String row, Map<String, String> columns) throws IOException {
    Put put = new Put(row.getBytes(UTF_8));
    columns.forEach(
        (column, value) ->
            put.addColumn("c".getBytes(UTF_8), column.getBytes(UTF_8), value.getBytes(UTF_8)));
    try (Table table = IngestStack.get().hbase().connection().getTable(COVERAGE)) {
      table.put(put);
    }
  }

  /** Also after each test. */
  @AfterEach
  void packedIsPlain() throws IOException {
    for (String interval : PACKED) {
      assertThat(cells.packed(interval)).as(interval).isEqualTo(cells.plain(interval));
    }
  }

  private static String head(String metric, int version, String interval, long start, Long asOf) {
    return "{\"type\":\"Rollup\",\"v\":"
        + version
        + ",\"metric\":\""
        + metric
        + "\",\"tags\":{\"host\":\"a\"},\"timestamp\":"
        + start
        + ",\"interval\":\""
        + interval
        + "\""
        + (asOf == null ? "" : ",\"asOf\":" + asOf);
  }

  /** Values of the four and p99, in one order. */
  private static Object[] numbers(Random random) {
    double min = random.nextGaussian() * 1000;
    Object max = random.nextInt(3) == 0 ? (Object) random.nextInt(5000) : min + random.nextDouble();
    return new Object[] {min * 60, min, max, 1 + random.nextInt(60), random.nextInt(100) / 8.0};
  }

  private static String rollup(
      String metric, int version, String interval, long start, Long asOf, Object[] numbers) {
    return head(metric, version, interval, start, asOf)
        + String.format(
            Locale.ROOT,
            ",\"values\":{\"sum\":%s,\"min\":%s,\"max\":%s,\"count\":%s%s}}",
            numbers[0],
            numbers[1],
            numbers[2],
            numbers[3],
            version == 2 ? ",\"p99\":" + numbers[4] : "");
  }

  private static String deletion(String metric, String interval, long start, Long asOf) {
    return head(metric, 1, interval, start, asOf) + ",\"values\":{}}";
  }

  private static String hour(String metric, int hour, Long asOf, int sum) {
    Object[] numbers = {sum, -sum, sum, 1, 0.5};
    return rollup(metric, 1, "1h", DAY0 + hour * HOUR, asOf, numbers);
  }

  private static long seconds(String interval) {
    return interval.equals("10m") ? 600 : interval.equals("1h") ? HOUR : DAY;
  }

  /**
   * Random messages of few slots. What has an asOf is the same each time: of two values with one
   * asOf the plain table keeps the later, the packed one the larger.
   *
   * @param withoutAsOf whether some have none: their order counts
   */
  private static List<String> random(String metric, Random random, int n, boolean withoutAsOf) {
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      String interval = PACKED.get(random.nextInt(PACKED.size()));
      String name = metric + random.nextInt(3) + (random.nextBoolean() ? ".more" : "");
      boolean isNow = withoutAsOf && random.nextInt(6) == 0;
      Long asOf = isNow ? null : (Long) (AS_OF + 1000L * random.nextInt(4));
      List<String> array = new ArrayList<>();
      for (int k = 1 + random.nextInt(4); k > 0; k--) {
        array.add(one(name, interval, random.nextInt(8), asOf, random));
      }
      messages.add(
          switch (isNow ? 0 : random.nextInt(3)) {
            case 0 -> array.get(0);
            case 1 -> "[" + String.join(",", array) + "]";
            default -> arrays(name, interval, random.nextInt(8), asOf);
          });
    }
    return messages;
  }

  private static Random of(String metric, String interval, int slot, Long asOf, Random otherwise) {
    return asOf == null
        ? otherwise
        : new Random((metric + interval + slot + asOf).hashCode() ^ Seed.VALUE);
  }

  private static String one(String metric, String interval, int slot, Long asOf, Random otherwise) {
    Random random = of(metric, interval, slot, asOf, otherwise);
    long start = DAY0 - (interval.equals("1d") ? 20 * DAY : 0) + slot * seconds(interval);
    Object[] numbers = numbers(random);
    return random.nextInt(4) == 0
        ? deletion(metric, interval, start, asOf)
        : rollup(metric, 1 + random.nextInt(2), interval, start, asOf, numbers);
  }

  /** The same rollups as those of one, for a slot and all behind it. */
  private static String arrays(String metric, String interval, int from, Long asOf) {
    List<Integer> at = new ArrayList<>();
    List<Integer> gone = new ArrayList<>();
    List<List<Object>> values = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      values.add(new ArrayList<>());
    }
    for (int slot = from; slot < 8; slot++) {
      Random random = of(metric, interval, slot, asOf, null);
      Object[] numbers = numbers(random);
      if (random.nextInt(4) == 0) {
        gone.add(slot);
        continue;
      }
      at.add(slot);
      for (int i = 0; i < 4; i++) {
        values.get(i).add(numbers[i]);
      }
    }
    long base = DAY0 - (interval.equals("1d") ? 20 * DAY : 0);
    return head(metric, 3, interval, base, asOf)
        + (at.isEmpty()
            ? ""
            : String.format(
                ",\"at\":%s,\"values\":{\"sum\":%s,\"min\":%s,\"max\":%s,\"count\":%s}",
                at, values.get(0), values.get(1), values.get(2), values.get(3)))
        + (gone.isEmpty() ? "" : ",\"gone\":" + gone)
        + "}";
  }

  @Test
  void messagesOfEveryVersionInAnyOrderAndAgain() throws IOException {
    Random random = Seed.random();
    List<String> messages = random("packed.random", random, Seed.times(400, 2000), true);
    stack.send("rollups", messages);
    stack.await("rollups");
    packedIsPlain();
    assertThat(cells.plain("1h")).isNotEmpty();
    Collections.shuffle(messages, random);
    stack.send("rollups", messages);
    stack.await("rollups");
    packedIsPlain();
    assertThat(stack.topics().readAll(stack.deadLetters()))
        .noneMatch(letter -> new String(letter.value(), UTF_8).contains("packed.random"));
    assertThat(stack.tsd().client().stats())
        .anySatisfy(
            (name, value) -> {
              assertThat(name)
                  .startsWith("tsd.kafka-ingest.packed.parts")
                  .contains("state=written");
              assertThat(Long.parseLong(value)).isPositive();
            });
  }

  /** The newest reading counts, of one time the deletion, without a time the order. */
  @Test
  void whichRollupCounts() throws IOException {
    String metric = "packed.counts";
    List<String> hours = new ArrayList<>();
    for (int hour = 0; hour < 24; hour++) {
      hours.add(hour(metric, hour, AS_OF, hour + 1));
    }
    stack.store("rollups", "[" + String.join(",", hours) + "]");
    List<RawCell> parts = new ArrayList<>();
    StoredRollups.cells(HOURS.getNameAsString(), metric).forEach(parts::add);
    assertThat(parts).hasSize(1).allMatch(part -> part.timestamp() == AS_OF);
    stack.store(
        "rollups",
        hour(metric, 0, AS_OF + 1, 100),
        hour(metric, 0, AS_OF, 1),
        hour(metric, 1, AS_OF - 1, 100),
        deletion(metric, "1h", DAY0 + 2 * HOUR, AS_OF),
        hour(metric, 2, AS_OF, 3),
        deletion(metric, "1h", DAY0 + 3 * HOUR, AS_OF - 1),
        deletion(metric, "1h", DAY0 + 4 * HOUR, null),
        hour(metric, 4, AS_OF, 5),
        // In one message, and so within a millisecond: a smaller one after a larger one.
        "[" + hour(metric, 5, null, 100) + "," + hour(metric, 5, null, 7) + "]",
        "[" + deletion(metric, "1h", DAY0 + 6 * HOUR, null) + "," + hour(metric, 6, null, 8) + "]",
        "[" + hour(metric, 7, null, 8) + "," + deletion(metric, "1h", DAY0 + 7 * HOUR, null) + "]");
    Map<Long, StoredRollups.Rollup> plain = StoredRollups.of("packed-plain-1h", HOUR, metric);
    assertThat(plain).hasSize(24 - 3);
    assertThat(plain.get(DAY0).sum()).isEqualTo(100);
    assertThat(plain.get(DAY0 + 5 * HOUR).sum()).isEqualTo(7);
    assertThat(plain.get(DAY0 + 6 * HOUR).sum()).isEqualTo(8);
    packedIsPlain();
  }

  /** A rollup that no packed row can have is in neither table, and masks its hour. */
  @Test
  void whatCannotBePackedIsADeadLetter() throws IOException {
    String metric = "packed.refused";
    String whole = hour(metric, 0, AS_OF, 1);
    String aggregate =
        "{\"type\":\"Aggregate\",\"metric\":\""
            + metric
            + "\",\"tags\":{\"host\":\"a\"},\"timestamp\":"
            + (DAY0 + HOUR)
            + ",\"interval\":\"1h\",\"aggregator\":\"SUM\",\"value\":1.5}";
    JsonNode before = stack.status("rollups");
    JsonNode after =
        stack.store(
            "rollups",
            whole.replace("\"count\":1", "\"p99\":1"),
            whole.replace("\"min\":", "\"p50\":"),
            aggregate,
            aggregate.replace("\"type\"", "\"tsdOrigin\":\"http\",\"type\""),
            whole.replace(Long.toString(AS_OF), "300000000000000"),
            // Stored: no table of packed rollups has these.
            aggregate.replace("1h", "6h"),
            aggregate.replace("\"value\"", "\"groupByAggregator\":\"SUM\",\"value\""));
    assertThat(after.at("/messages/deadLettered").asLong())
        .isEqualTo(before.at("/messages/deadLettered").asLong() + 5);
    List<String> letters = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> letter : stack.topics().readAll(stack.deadLetters())) {
      if (new String(letter.value(), UTF_8).contains(metric)) {
        letters.add(header(letter, "reason") + ": " + header(letter, "message"));
      }
    }
    String rule =
        "refused: a rollup of 1h, which has a table in suite.packed of rollup_config.json, must"
            + " have sum, min, max and count in one message of type Rollup, found ";
    assertThat(letters)
        .containsExactly(
            rule + "others",
            rule + "others",
            rule + "an Aggregate, which has one of them",
            rule + "an Aggregate, which has one of them",
            "badField: asOf must be milliseconds since the epoch, 100000000000 to 9999999999999,"
                + " found 300000000000000");
    assertThat(StoredRollups.cells("packed-plain-1h", metric)).isEmpty();
    assertThat(StoredRollups.cells("packed-plain-6h", metric)).hasSize(1);
    assertThat(masks(metric)).containsExactly(mask(metric, 0, "lost"), mask(metric, 1, "lost"));
  }

  private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
    return new String(letter.headers().lastHeader("kafka-ingest." + name).value(), UTF_8);
  }

  private static Set<String> masks(String metric) throws IOException {
    Set<String> masks = new TreeSet<>();
    for (RawCell cell : IngestStack.get().hbase().cells(COVERAGE.getNameAsString())) {
      String row = new String(cell.row(), UTF_8);
      if (row.startsWith("mask/") && row.endsWith("/" + metric)) {
        masks.add(row + " " + new String(cell.qualifier(), UTF_8).replaceFirst("/.*", ""));
      }
    }
    return masks;
  }

  private static String mask(String metric, int hour, String kind) {
    return "mask/" + (DAY0 + hour * HOUR) + "/" + metric + " " + kind;
  }

  @Test
  void aRepairAndMessagesOfOlderAndNewerReadings() throws IOException {
    String metric = "packed.repaired";
    List<String> points = new ArrayList<>();
    for (int minute = 0; minute < 240; minute++) {
      points.add(RepairStack.point(metric, DAY0 + minute * 60L, minute * 0.1));
    }
    String array = "[" + String.join(",", points) + "]";
    // This one has further aggregators.
    String more = metric + ".more";
    stack.store("points", array, array.replace(metric, more));
    assertThat(masks(metric)).hasSize(4);
    stack.store("rollups", hour(metric, 0, AS_OF, 5), deletion(metric, "1h", DAY0 + HOUR, AS_OF));
    stack.store(
        "requests",
        RepairStack.request(metric, DAY0, ALL),
        RepairStack.request(more, DAY0, ALL),
        RepairStack.request(metric, DAY0 + HOUR, ALL));
    packedIsPlain();
    assertThat(masks(metric)).as("repaired").isEmpty();
    assertThat(StoredRollups.cells("packed-k-1d", more)).as("kinds of the day").hasSize(3);
    Map<Long, StoredRollups.Rollup> repaired = StoredRollups.of("packed-plain-1h", HOUR, metric);
    assertThat(repaired)
        .isEqualTo(StoredRollups.computed(stack.tsd(), "1h", metric, DAY0, DAY0 + 4 * HOUR));
    stack.store("rollups", hour(metric, 0, AS_OF + 1, 5), deletion(metric, "1h", DAY0, AS_OF + 2));
    assertThat(StoredRollups.of("packed-plain-1h", HOUR, metric)).isEqualTo(repaired);
  }

  /** Nothing is committed, and no mask removed, before the packed table has its part. */
  @Test
  void aPackedTableThatIsAwayForAWhile() throws IOException {
    String metric = "packed.masked.away";
    stack.store("points", RepairStack.point(metric, DAY0 + 5, 1));
    assertThat(masks(metric)).containsExactly(mask(metric, 0, "late"));
    long stored = stack.status("rollups").at("/messages/stored").asLong();
    long repaired = stack.status("requests").at("/repairs/repaired").asLong();
    int rollups = 50;
    try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
      admin.disableTable(HOURS);
      try {
        List<String> messages = new ArrayList<>();
        for (int i = 0; i < rollups; i++) {
          messages.add(hour(metric, i % 24, AS_OF + i, i + 1));
        }
        stack.send("rollups", messages);
        stack.send("requests", List.of(RepairStack.request(metric, DAY0, ALL)));
        for (String kind : List.of("rollups", "requests")) {
          Await.until(
              kind + " that HBase does not take",
              IngestStack.PATIENCE,
              () -> {
                JsonNode status = stack.status(kind);
                return status.get("storageFailures").asLong() > 0
                    || status.at("/messages/inFlight").asLong() > 0;
              });
        }
        Await.until(
            "the plain rollups",
            IngestStack.PATIENCE,
            () -> StoredRollups.of("packed-plain-1h", HOUR, metric).size() == 24);
        assertThat(stack.status("rollups").at("/messages/stored").asLong()).isEqualTo(stored);
        assertThat(stack.status("requests").at("/repairs/repaired").asLong()).isEqualTo(repaired);
        assertThat(masks(metric)).containsExactly(mask(metric, 0, "late"));
      } finally {
        admin.enableTable(HOURS);
      }
    }
    JsonNode status = stack.await("rollups");
    assertThat(status.at("/messages/stored").asLong()).isEqualTo(stored + rollups);
    stack.await("requests");
    assertThat(masks(metric)).isEmpty();
    packedIsPlain();
    assertThat(stack.topics().readAll(stack.deadLetters()))
        .noneMatch(letter -> new String(letter.value(), UTF_8).contains(metric));
  }

  /**
   * No part is stored before its plain cells: {@code pack} would take back what is packed alone.
   */
  @Test
  void aPlainTableThatIsAwayForAWhile() throws IOException {
    String metric = "packed.alone";
    TableName plain = TableName.valueOf("packed-plain-1h");
    // Their UIDs and regions are known then.
    stack.store("rollups", hour(metric, 0, AS_OF, 1), tenMinutes(metric, 0));
    int parts = parts(HOURS.getNameAsString(), metric);
    try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
      admin.disableTable(plain);
      try {
        stack.send(
            "rollups",
            List.of(
                hour(metric, 1, AS_OF, 2),
                deletion(metric, "1h", DAY0, AS_OF + 1),
                tenMinutes(metric, 1)));
        Await.until(
            "a part that was sent with or after those of the hours",
            IngestStack.PATIENCE,
            () -> parts("packed-k-10m", metric) == 2);
        assertThat(parts(HOURS.getNameAsString(), metric)).isEqualTo(parts);
      } finally {
        admin.enableTable(plain);
      }
    }
    stack.await("rollups");
    // The deletion is a part of each of three kinds.
    assertThat(parts(HOURS.getNameAsString(), metric)).isEqualTo(parts + 4);
    assertThat(StoredRollups.of("packed-plain-1h", HOUR, metric)).containsOnlyKeys(DAY0 + HOUR);
  }

  private static String tenMinutes(String metric, int slot) {
    Object[] numbers = {slot, slot, slot, 1, 0.5};
    return rollup(metric, 1, "10m", DAY0 + slot * 600L, AS_OF + slot, numbers);
  }

  private static int parts(String table, String metric) throws IOException {
    List<RawCell> parts = new ArrayList<>();
    StoredRollups.cells(table, metric).forEach(parts::add);
    return parts.size();
  }

  /** Its repairs leave the packed rollups stale, so the masks of their windows stay. */
  @Test
  void aTsdWithoutPackedTablesLeavesTheMasks() throws IOException {
    String metric = "packed.masked";
    try (RepairStack without = new RepairStack("packed-without", conf(PLAIN_CONFIG))) {
      without.store(
          "points",
          RepairStack.point(metric, DAY0 + 5, 1),
          RepairStack.point("packed.other", DAY0 + 5, 1));
      without.store(
          "requests",
          RepairStack.request(metric, DAY0, ALL),
          RepairStack.request("packed.other", DAY0, ALL));
      assertThat(StoredRollups.of("packed-plain-1h", HOUR, metric)).hasSize(1);
      assertThat(masks("packed.other")).as("no window is packed").isEmpty();
      assertThat(masks(metric)).containsExactly(mask(metric, 0, "late"));
    }
    stack.store(
        "requests",
        RepairStack.request(metric, DAY0, ALL),
        RepairStack.request("packed.other", DAY0, ALL));
    assertThat(masks(metric)).isEmpty();
  }

  /** Two TSDs, one of which is killed, and repairs, at the same rows. */
  @Test
  void writersAtOnceLoseNothing() throws IOException {
    String metric = "packed.two";
    List<String> points = new ArrayList<>();
    List<String> requests = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      points.add(RepairStack.point(metric + i, DAY0 + 2 * HOUR + 5, i));
      points.add(RepairStack.point(metric + i + ".more", DAY0 + 3 * HOUR + 5, i));
      requests.add(RepairStack.request(metric + i, DAY0 + 2 * HOUR, ALL));
      requests.add(RepairStack.request(metric + i + ".more", DAY0 + 3 * HOUR, ALL));
    }
    stack.send("points", points);
    stack.await("points");
    Map<String, String> conf = IngestStack.conf(conf(CONFIG));
    conf.put("KafkaRpcPlugin.groups", TWO);
    conf.put("KafkaRpcPlugin.deadLetterTopic", stack.deadLetters());
    conf.putAll(two());
    TsdServer other = IngestStack.get().startTsd("packed-other", conf, List.of(IngestStack.jar()));
    try {
      Random random = Seed.random();
      List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
      for (String message : random(metric, random, 6000, false)) {
        int partition = random.nextInt(2);
        records.add(new ProducerRecord<>(TWO, partition, null, message.getBytes(UTF_8)));
      }
      Await.until(
          "both TSDs to have a partition",
          IngestStack.PATIENCE,
          () -> stack.topics().members(TWO).values().stream().filter(n -> n > 0).count() == 2);
      stack.topics().send(records);
      Await.until("the other to store", IngestStack.PATIENCE, () -> stored(other) > 50);
      stack.send("requests", requests);
      other.kill();
      assertThat(stack.topics().lag(TWO, TWO)).as("it was killed amid messages").isPositive();
      other.start();
      stack.tsd().client().post("plugin/kafka-ingest/rate?group=" + TWO + "&rate=1000000", null);
      Await.until(
          "all to be committed", IngestStack.PATIENCE, () -> stack.topics().lag(TWO, TWO) == 0);
      stack.await("requests");
    } finally {
      other.stop();
    }
    packedIsPlain();
    assertThat(stack.topics().readAll(stack.deadLetters()))
        .noneMatch(letter -> new String(letter.value(), UTF_8).contains(metric));
  }

  private static long stored(TsdServer tsd) {
    return IngestStack.status(tsd.client(), TWO).at("/messages/stored").asLong();
  }

  /** As a plain table: it is said, and taken up when it is there. */
  @Test
  void aMissingTableIsSaidAtTheStart() throws IOException {
    Map<String, String> conf =
        conf(CONFIG.replace("packed-k-", "missing-k-").replace("packed-plain-", "missing-plain-"));
    Map<String, String> all = IngestStack.conf(conf);
    all.put("KafkaRpcPlugin.groups", "packed-missing");
    all.put("KafkaRpcPlugin.packed-missing.topics", "packed-rollups");
    all.put("KafkaRpcPlugin.packed-missing.consumerType", "ROLLUP");
    all.put("KafkaRpcPlugin.packed-missing.rate", "0");
    all.put("KafkaRpcPlugin.deadLetterTopic", stack.deadLetters());
    Path directory = IngestStack.directory("packed-missing");
    TsdServer tsd =
        TsdServer.start(
            directory,
            "packed-missing",
            IngestStack.get().hbase().zkQuorum(),
            all,
            List.of(IngestStack.jar()));
    try {
      for (String table : List.of("missing-k-1d", "missing-plain-6h")) {
        Await.until(
            table + " to be named",
            IngestStack.PATIENCE,
            () ->
                Files.readString(directory.resolve("packed-missing.log"))
                    .contains("table " + table + " must exist"));
      }
    } finally {
      tsd.stop();
    }
  }
}
