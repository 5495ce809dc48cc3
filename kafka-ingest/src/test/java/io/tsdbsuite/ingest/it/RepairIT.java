package io.tsdbsuite.ingest.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.HistogramMerger;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.ingest.it.StoredRollups.Rollup;
import io.tsdbsuite.ingest.mask.MaskRule;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Requests for rollups, in TSDs with and without fix_duplicates; the raw points are the same. */
class RepairIT {
  private static final long DAY = 1763510400L;
  private static final long HOUR = DAY + 5 * 3600;
  private static final TableName BROKEN_DATA = TableName.valueOf("repair-broken-data");
  private static final long TTL_SECONDS = 10 * 86_400;

  /** fix_duplicates is off; the raw points do not expire. */
  private static RepairStack stack;

  /** fix_duplicates is on, and the raw points expire. */
  private static RepairStack fixing;

  @BeforeAll
  static void start() {
    stack = new RepairStack("repair", Map.of("tsd.storage.fix_duplicates", "false"));
    fixing =
        new RepairStack(
            "repair-fix",
            Map.of(
                "tsd.storage.fix_duplicates",
                "true",
                "KafkaRpcPlugin.repairTtl",
                Long.toString(TTL_SECONDS)));
  }

  @AfterAll
  static void stop() {
    stack.close();
    fixing.close();
  }

  /** Random points of a day: seconds and milliseconds, integers, floats and doubles. */
  private static List<String> points(String metric, long day, long seed) {
    Random random = new Random(seed);
    TreeMap<Long, String> points = new TreeMap<>();
    while (points.size() < 1_500) {
      // Three hours have no points.
      int hour = random.nextInt(21);
      long millis = (day + hour * 3600L) * 1000 + random.nextInt(3_600_000);
      boolean seconds = random.nextBoolean();
      Object value =
          switch (random.nextInt(3)) {
            case 0 -> random.nextInt(100_000) - 50_000;
            case 1 -> random.nextInt(1000) / 8.0f;
            default -> random.nextGaussian() * 1e6;
          };
      long time = seconds ? millis / 1000 : millis;
      points.putIfAbsent(seconds ? time * 1000 : time, RepairStack.point(metric, time, value));
    }
    return List.copyOf(points.values());
  }

  private static void assertRepaired(RepairStack of, String metric, long hour) throws IOException {
    long quarter = hour - hour % 21_600;
    long day = hour - hour % 86_400;
    Map<Long, Rollup> tens = StoredRollups.computed(of.tsd(), "10m", metric, hour, hour + 3600);
    assertThat(tens).isNotEmpty();
    assertThat(StoredRollups.of("repair-10m", 600, metric)).isEqualTo(tens);
    assertThat(StoredRollups.of("repair-1h", 3600, metric))
        .isEqualTo(StoredRollups.computed(of.tsd(), "1h", metric, hour, hour + 3600));
    assertThat(StoredRollups.of("repair-6h", 21_600, metric))
        .isEqualTo(StoredRollups.computed(of.tsd(), "6h", metric, quarter, quarter + 21_600));
    assertThat(StoredRollups.of("repair-1d", 86_400, metric))
        .isEqualTo(StoredRollups.computed(of.tsd(), "1d", metric, day, day + 86_400));
  }

  @Test
  void theValuesAreThoseOfAQuery() throws IOException {
    String metric = "repair.values";
    stack.send("points", points(metric, DAY, Seed.VALUE));
    stack.await("points");
    long before = System.currentTimeMillis();
    JsonNode old = stack.status("requests").get("repairs");
    JsonNode repairs =
        stack
            .store("requests", RepairStack.request(metric, HOUR, "10m", "1h", "6h", "1d"))
            .get("repairs");
    assertRepaired(stack, metric, HOUR);
    int tens = StoredRollups.of("repair-10m", 600, metric).size();
    for (String table : List.of("repair-10m", "repair-1h", "repair-6h", "repair-1d")) {
      // The time of reading, which is after the delay.
      assertThat(StoredRollups.cells(table, metric))
          .extracting(RawCell::timestamp)
          .allSatisfy(
              timestamp ->
                  assertThat(timestamp)
                      .isBetween(before + RepairStack.DELAY_MILLIS, System.currentTimeMillis()));
    }
    assertThat(repairs.get("rows").asLong() - old.get("rows").asLong()).isEqualTo(24);
    assertThat(repairs.get("rollups").asLong() - old.get("rollups").asLong()).isEqualTo(tens + 3);
  }

  @Test
  void aPointThatIsLateByDaysIsRepairedAndTheNewestReadingStays() throws IOException {
    String metric = "repair.late";
    long asOf = (HOUR + 3600) * 1000;
    stack.store("points", RepairStack.point(metric, HOUR + 1, 1));
    stack.store("rollups", RepairStack.rollup(metric, "1h", HOUR, asOf, 1));
    stack.store("points", RepairStack.point(metric, HOUR + 2, 2.5));
    stack.store("requests", RepairStack.request(metric, HOUR, "1h"));
    Rollup repaired = new Rollup(3.5, 1, 2.5, 2);
    assertThat(StoredRollups.of("repair-1h", 3600, metric)).isEqualTo(Map.of(HOUR, repaired));
    // The stream is restarted and sends it again; a later run of rollup-job knows more.
    stack.store("rollups", RepairStack.rollup(metric, "1h", HOUR, asOf, 1));
    assertThat(StoredRollups.of("repair-1h", 3600, metric)).isEqualTo(Map.of(HOUR, repaired));
    stack.store("rollups", RepairStack.rollup(metric, "1h", HOUR, System.currentTimeMillis(), 7));
    assertThat(StoredRollups.of("repair-1h", 3600, metric))
        .isEqualTo(Map.of(HOUR, new Rollup(7, 1, 1, 1)));
    assertThat(StoredRollups.of("repair-10m", 600, metric)).isEmpty();
  }

  @Test
  void bucketsThatHadNotEndedAreLeftAlone() throws IOException {
    String metric = "repair.open";
    for (int minute : new int[] {1, 11, 21, 31}) {
      stack.send("points", List.of(RepairStack.point(metric, HOUR + minute * 60L, minute)));
    }
    stack.await("points");
    String request = RepairStack.request(metric, HOUR, "10m", "1h", "1d");
    long old = stack.status("requests").at("/repairs/notEnded").asLong();
    stack.send("requests", (HOUR + 599) * 1000, List.of(request));
    assertThat(stack.await("requests").at("/repairs/notEnded").asLong()).isEqualTo(old + 1);
    assertThat(StoredRollups.of("repair-10m", 600, metric)).isEmpty();
    stack.send("requests", (HOUR + 25 * 60) * 1000, List.of(request));
    stack.await("requests");
    assertThat(StoredRollups.of("repair-10m", 600, metric))
        .isEqualTo(Map.of(HOUR, new Rollup(1, 1, 1, 1), HOUR + 600, new Rollup(11, 11, 11, 1)));
    assertThat(StoredRollups.of("repair-1h", 3600, metric)).isEmpty();
    assertThat(StoredRollups.of("repair-1d", 86_400, metric)).isEmpty();
    stack.send("requests", (HOUR + 3600) * 1000, List.of(request));
    stack.await("requests");
    assertThat(StoredRollups.of("repair-10m", 600, metric)).hasSize(4);
    assertThat(StoredRollups.of("repair-1h", 3600, metric))
        .isEqualTo(Map.of(HOUR, new Rollup(64, 1, 31, 4)));
    assertThat(StoredRollups.of("repair-1d", 86_400, metric)).isEmpty();
  }

  @Test
  void aSeriesOrBucketWithoutPointsIsCountedAndNamesAreNotCreated() throws IOException {
    stack.store("points", RepairStack.point("repair.nothing", HOUR + 1, 1));
    JsonNode old = stack.status("requests");
    String known = RepairStack.request("repair.nothing", HOUR, "1h", "1d");
    JsonNode status =
        stack.store(
            "requests",
            known.replace("repair.nothing", "repair.unknown"),
            known.replace("\"host\"", "\"repair-tagk\""),
            known.replace("\"a\"", "\"repair-tagv\""),
            known.replace(Long.toString(HOUR), Long.toString(HOUR - 86_400)),
            // The hour has no points; its day has.
            known.replace(Long.toString(HOUR), Long.toString(HOUR + 3600)));
    assertThat(status.at("/repairs/unknownSeries").asLong())
        .isEqualTo(old.at("/repairs/unknownSeries").asLong() + 3);
    assertThat(status.at("/repairs/noPoints").asLong())
        .isEqualTo(old.at("/repairs/noPoints").asLong() + 1);
    assertThat(status.at("/messages/deadLettered")).isEqualTo(old.at("/messages/deadLettered"));
    assertThat(StoredRollups.of("repair-1h", 3600, "repair.nothing")).isEmpty();
    assertThat(StoredRollups.of("repair-1d", 86_400, "repair.nothing"))
        .isEqualTo(Map.of(DAY, new Rollup(1, 1, 1, 1)));
    Uids uids = new Uids();
    assertThat(uids.has("metrics", "repair.unknown")).isFalse();
    assertThat(uids.has("tagk", "repair-tagk")).isFalse();
    assertThat(uids.has("tagv", "repair-tagv")).isFalse();
  }

  /** The integer and the float are two columns; a query fails without fix_duplicates. */
  @Test
  void conflictingDuplicatesFollowTheTsd() throws IOException {
    String metric = "repair.duplicates";
    long hour = recentHour();
    stack.store("points", RepairStack.point(metric, hour + 1, 5));
    stack.store("points", RepairStack.point(metric, hour + 1, 1.5));
    stack.store("points", RepairStack.point(metric, hour + 2, 2));
    assertThatThrownBy(() -> StoredRollups.computed(stack.tsd(), "1h", metric, hour, hour + 3600))
        .isInstanceOf(TsdException.class);
    assertRefused(
        stack, "conflictingDuplicates", RepairStack.request(metric, hour, "10m", "1h", "1d"));
    for (String table : List.of("repair-10m", "repair-1h", "repair-1d")) {
      assertThat(StoredRollups.cells(table, metric)).isEmpty();
    }
    fixing.store("requests", RepairStack.request(metric, hour, "10m", "1h", "6h", "1d"));
    assertRepaired(fixing, metric, hour);
    assertThat(StoredRollups.of("repair-1h", 3600, metric))
        .isEqualTo(Map.of(hour, new Rollup(3.5, 1.5, 2, 2)));
  }

  @Test
  void whatTheTtlMayHaveTakenIsRefused() throws IOException {
    String metric = "repair.ttl";
    long hour = recentHour();
    fixing.store(
        "points", RepairStack.point(metric, HOUR + 1, 1), RepairStack.point(metric, hour + 1, 2));
    // Its first day is not whole any more, as to rollup-job.
    long edge = now() - TTL_SECONDS + 80_000;
    assertRefused(
        fixing,
        Map.of(
            RepairStack.request(metric, HOUR, "1h"), "expired",
            RepairStack.request(metric, edge - edge % 3600, "10m", "1h"), "expired"));
    assertThat(StoredRollups.of("repair-1h", 3600, metric)).isEmpty();
    fixing.store("requests", RepairStack.request(metric, hour, "1h"));
    assertThat(StoredRollups.of("repair-1h", 3600, metric))
        .isEqualTo(Map.of(hour, new Rollup(2, 2, 2, 1)));
  }

  /** One producer whose clock is wrong must not stop the requests of all others. */
  @Test
  void aRequestWithATimeInTheFutureIsCarriedOut() throws IOException {
    String metric = "repair.future";
    stack.store("points", RepairStack.point(metric, HOUR + 1, 1));
    long nextYear = System.currentTimeMillis() + 365 * 86_400_000L;
    // By the time of the record this hour has ended, too.
    long thisHour = System.currentTimeMillis() / 3_600_000 * 3600;
    stack.store("points", RepairStack.point(metric, thisHour, 1));
    stack.send(
        "requests",
        nextYear,
        List.of(
            RepairStack.request(metric, HOUR, "1h"), RepairStack.request(metric, thisHour, "1h")));
    stack.await("requests");
    Rollup rollup = new Rollup(1, 1, 1, 1);
    Map<Long, Rollup> stored = StoredRollups.of("repair-1h", 3600, metric);
    if (System.currentTimeMillis() / 3_600_000 * 3600 == thisHour) {
      assertThat(stored).isEqualTo(Map.of(HOUR, rollup));
    } else {
      assertThat(stored).containsEntry(HOUR, rollup);
    }
    assertThat(stack.status("requests").get("warnings").toString())
        .contains("must have message.timestamp.type=LogAppendTime", "found CreateTime");
  }

  @Test
  void whatCannotBeRepairedIsADeadLetterWithItsReason() throws IOException {
    String metric = "repair.refused";
    stack.store(
        "points",
        RepairStack.point(metric, HOUR + 1, "1e308"),
        RepairStack.point(metric, HOUR + 2, "1e308"),
        RepairStack.point(metric, HOUR + 1201, 1));
    String request = RepairStack.request(metric, HOUR, "1h");
    assertRefused(
        stack,
        Map.of(
            request,
            "notFinite",
            RepairStack.request(metric, HOUR, "1h", "5m"),
            "unknownInterval",
            RepairStack.request(metric, HOUR, "1m"),
            "unknownInterval",
            RepairStack.request(metric, HOUR + 1, "1h"),
            "badTimestamp",
            request.replace("\"v\":1", "\"v\":2"),
            "unsupportedVersion",
            request.replace("\"a\"", "\"東京\""),
            "refused",
            RepairStack.point(metric, HOUR + 3, 1),
            "unknownType",
            RepairStack.rollup(metric, "1h", HOUR, HOUR * 1000, 1),
            "unknownType"));
    assertThat(StoredRollups.cells("repair-1h", metric)).isEmpty();
    // Groups that store take no requests.
    int dead = stack.topics().readAll(stack.deadLetters()).size();
    stack.store("points", request);
    stack.store("rollups", request);
    List<ConsumerRecord<byte[], byte[]>> letters = stack.topics().readAll(stack.deadLetters());
    assertThat(letters).hasSize(dead + 2);
    for (ConsumerRecord<byte[], byte[]> letter : letters.subList(dead, dead + 2)) {
      assertThat(header(letter, "reason")).isEqualTo("unknownType");
      assertThat(header(letter, "message")).contains("RollupRequest is for a group");
    }
  }

  /** HBase refuses the read; the request comes back with the time at which it was made. */
  @Test
  void aRequeuedRequestIsOfItsFirstTime() throws IOException {
    String metric = "repair.requeue";
    // Its names get their UIDs, and its rollups are those of another table.
    stack.store("points", RepairStack.point(metric, HOUR + 1, 100));
    try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(BROKEN_DATA)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("x"))
              .build());
    }
    Map<String, String> conf =
        Map.of("tsd.storage.hbase.data_table", BROKEN_DATA.getNameAsString());
    try (RepairStack broken = new RepairStack("repair-broken", conf)) {
      long asked = (HOUR + 25 * 60) * 1000;
      broken.send("requests", asked, List.of(RepairStack.request(metric, HOUR, "10m", "1h")));
      Await.until(
          "the request to be requeued",
          IngestStack.PATIENCE,
          () -> broken.status("requests").at("/messages/requeued").asLong() > 0);
      List<ConsumerRecord<byte[], byte[]>> records =
          broken.topics().readAll(broken.group("requests"));
      assertThat(header(records.get(1), "requestedAt")).isEqualTo(Long.toString(asked));
      assertThat(records.get(1).timestamp()).isGreaterThan(asked);
      try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
        admin.addColumnFamily(BROKEN_DATA, ColumnFamilyDescriptorBuilder.of("t"));
      }
      Await.until(
          "the request to be carried out",
          IngestStack.PATIENCE,
          () -> broken.status("requests").at("/messages/stored").asLong() == 1);
      JsonNode status = broken.status("requests");
      assertBooksClose(status);
      assertThat(status.at("/repairs/noPoints").asLong()).isOne();
      for (int minute : new int[] {1, 11, 21}) {
        broken.send("points", List.of(RepairStack.point(metric, HOUR + minute * 60L, minute)));
      }
      broken.await("points");
      broken.topics().send(List.of(copy(records.get(1))));
      Await.until(
          "the same once more",
          IngestStack.PATIENCE,
          () -> broken.status("requests").at("/repairs/repaired").asLong() == 1);
    }
    assertThat(StoredRollups.of("repair-10m", 600, metric))
        .isEqualTo(Map.of(HOUR, new Rollup(1, 1, 1, 1), HOUR + 600, new Rollup(11, 11, 11, 1)));
    assertThat(StoredRollups.of("repair-1h", 3600, metric)).isEmpty();
  }

  private static ProducerRecord<byte[], byte[]> copy(ConsumerRecord<byte[], byte[]> record) {
    return new ProducerRecord<>(record.topic(), 0, record.key(), record.value(), record.headers());
  }

  /** Three requests that wait at the same time: two are equal, the third is of the same day. */
  @Test
  void equalRequestsAreCarriedOutOnceAndADayIsReadOnce() throws IOException {
    String metric = "repair.equal";
    stack.store("points", RepairStack.point(metric, HOUR + 1, 1));
    JsonNode old = stack.status("requests").get("repairs");
    rate(0);
    // It holds back the requests until all of them are in the topic.
    stack.send("points", List.of(RepairStack.point(metric, HOUR + 3602, 2)));
    // The next hour is in another bucket of 6h.
    String request = RepairStack.request(metric, HOUR, "1h", "6h", "1d");
    String next = RepairStack.request(metric, HOUR + 3600, "1h", "6h", "1d");
    stack.send("requests", List.of(request, request, next));
    Await.until(
        "the requests to wait",
        IngestStack.PATIENCE,
        () -> !stack.status("requests").get("waitsFor").isNull());
    rate(1000);
    JsonNode status = stack.await("requests");
    assertBooksClose(status);
    JsonNode repairs = status.get("repairs");
    assertThat(repairs.get("deduplicated").asLong() - old.get("deduplicated").asLong()).isOne();
    assertThat(repairs.get("repaired").asLong() - old.get("repaired").asLong()).isEqualTo(2);
    assertThat(repairs.get("rows").asLong() - old.get("rows").asLong()).isEqualTo(6 + 24);
    assertThat(StoredRollups.of("repair-1h", 3600, metric))
        .isEqualTo(Map.of(HOUR, new Rollup(1, 1, 1, 1), HOUR + 3600, new Rollup(2, 2, 2, 1)));
    assertThat(StoredRollups.of("repair-6h", 21_600, metric))
        .isEqualTo(Map.of(DAY, new Rollup(1, 1, 1, 1), DAY + 21_600, new Rollup(2, 2, 2, 1)));
    assertThat(StoredRollups.of("repair-1d", 86_400, metric))
        .isEqualTo(Map.of(DAY, new Rollup(3, 1, 2, 2)));
  }

  @Test
  void requestsWaitForPointsThatAreNotStoredYet() throws IOException {
    String metric = "repair.wait";
    stack.store("points", RepairStack.point(metric, HOUR + 1, 1));
    JsonNode old = stack.status("requests");
    rate(0);
    stack.send("points", List.of(RepairStack.point(metric, HOUR + 2, 2)));
    stack.send("requests", List.of(RepairStack.request(metric, HOUR, "1h")));
    Await.until(
        "the reason to be shown",
        IngestStack.PATIENCE,
        () ->
            stack
                .status("requests")
                .get("waitsFor")
                .asText()
                .startsWith("group repair-points: repair-points-0 is stored up to "));
    assertThat(stack.status("requests").at("/messages/stored"))
        .isEqualTo(old.at("/messages/stored"));
    assertThat(stack.tsd().client().stats())
        .anySatisfy(
            (key, value) -> {
              assertThat(key)
                  .startsWith("tsd.kafka-ingest.repairs.waiting ")
                  .contains("group=repair-requests");
              assertThat(value).isEqualTo("1");
            });
    rate(70_000);
    JsonNode status = stack.await("requests");
    assertThat(StoredRollups.of("repair-1h", 3600, metric))
        .isEqualTo(Map.of(HOUR, new Rollup(3, 1, 2, 2)));
    assertThat(status.get("waitsFor").isNull()).isTrue();
    assertBooksClose(status);
  }

  /**
   * The row keys are those of the TSD: its queries find points and rollups of every series. The
   * metric has further aggregators and histograms: sketches of the points of the hour. Those of
   * native.hist, which has no points, are the sums of histograms.
   */
  @Test
  void saltedRowsWithWideUidsAreFound() throws IOException {
    String name = "repair-salted";
    String metric = "salted.hist";
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.storage.salt.width", "1");
    conf.put("tsd.storage.uid.width.metric", "4");
    conf.put("tsd.storage.uid.width.tagk", "2");
    conf.put("tsd.storage.uid.width.tagv", "4");
    conf.put("tsd.storage.hbase.data_table", name + "-data");
    conf.put("tsd.storage.hbase.uid_table", name + "-uid");
    conf.put(
        "tsd.rollups.config",
        RepairStack.withHistograms(RepairStack.ROLLUP_CONFIG)
            .replace("\"max\":4", "\"max\":4,\"p50\":10,\"p99\":11,\"first\":12,\"last\":13")
            .replace(
                "\"suite\":{",
                "\"suite\":{\"values\":[{\"metrics\":\"salted.hist\","
                    + "\"intervals\":\"10m,1h,6h,1d\",\"aggregators\":\"p50,p99,first,last\"}],")
            .replace("\"repair-", "\"" + name + "-")
            .replace("\"tsdb\"", "\"" + name + "-data\"")
            .replace("\"tsdb-preagg\"", "\"" + name + "-preagg\""));
    try (RepairStack salted = new RepairStack(name, conf)) {
      List<String> points = new ArrayList<>();
      List<String> requests = new ArrayList<>();
      for (int series = 0; series < 8; series++) {
        String tags = "{\"zone\":\"z\",\"host\":\"h" + series + "\",\"app\":\"a\"}";
        for (String point : points(metric, DAY, Seed.VALUE + series)) {
          points.add(tagged(point, tags));
        }
        requests.add(tagged(RepairStack.request(metric, HOUR, "10m", "1h", "6h", "1d"), tags));
      }
      salted.send("points", points);
      salted.await("points");
      salted.send("requests", requests);
      JsonNode status = salted.await("requests");
      assertThat(status.at("/repairs/repaired").asInt()).isEqualTo(requests.size());
      int histograms = 2 * requests.size();
      assertThat(status.get("rollupHistograms").asInt()).isEqualTo(histograms);
      assertBooksClose(status, 8 * status.at("/repairs/rollups").asLong() + histograms);
      Sketch hour = new Sketch();
      for (int series = 0; series < requests.size(); series++) {
        for (String point : points(metric, DAY, Seed.VALUE + series)) {
          JsonNode read = new ObjectMapper().readTree(point);
          if (MaskRule.hour(read.get("timestamp").asLong()) == HOUR) {
            hour.add(read.get("value").asDouble());
          }
        }
      }
      Map<String, JsonNode> answers =
          StoredRollups.percentiles(salted.tsd(), metric, "1h", HOUR, HOUR + 3600, true);
      assertThat(answers.get("50.0").elements().next().asDouble()).isEqualTo(hour.percentile(50));
      assertThat(answers.get("99.9").elements().next().asDouble())
          .isEqualTo(hour.percentile((float) 99.9));
      assertNativeHistograms(salted, name + "-hist-1d", histograms);
      List<String> downsamples = new ArrayList<>(List.of("1h-min", "1h-max", "1d-count"));
      for (String interval : List.of("10m", "1h", "6h", "1d")) {
        for (String aggregator : List.of("sum", "p50", "p99", "first", "last")) {
          downsamples.add(interval + "-" + aggregator);
        }
      }
      for (String downsample : downsamples) {
        long from = downsample.startsWith("1") && !downsample.startsWith("1d") ? HOUR : DAY;
        long to =
            from == HOUR ? HOUR + 3600 : downsample.startsWith("6h") ? DAY + 21_600 : DAY + 86_400;
        QuerySpec query = QuerySpec.of(metric, from, to - 2).downsample(downsample);
        assertThat(points(salted, query.rollupUsage("ROLLUP_NOFALLBACK")))
            .as(downsample)
            .hasSize(requests.size())
            .isEqualTo(points(salted, query.rollupUsage("ROLLUP_RAW")));
      }
    }
  }

  private static void assertNativeHistograms(RepairStack of, String dayTable, int sketches)
      throws IOException {
    String metric = "native.hist";
    // Of points that are gone.
    of.store("rollups", RepairStack.rollup(metric, "1h", HOUR, 1_763_600_000_000L, 5));
    QuerySpec stale =
        QuerySpec.of(metric, HOUR, HOUR + 3598)
            .downsample("1h-sum")
            .rollupUsage("ROLLUP_NOFALLBACK");
    assertThat(points(of, stale)).hasSize(1);
    of.store(
        "points",
        RepairStack.histogram(metric, HOUR + 10, 3, 1),
        RepairStack.histogram(metric, HOUR + 20, 1, 7),
        RepairStack.histogram(metric, HOUR + 3600, 5, 0));
    int before = of.status("requests").at("/points/stored").asInt();
    JsonNode status =
        of.store(
            "requests",
            RepairStack.request(metric, HOUR, "10m", "1h", "1d"),
            RepairStack.request(metric, HOUR + 3600, "10m", "1h", "1d"));
    // One of two requests that wait together leaves the day to the other one.
    assertThat(status.at("/points/stored").asInt() - before).isBetween(3, 4);
    assertThat(status.at("/repairs/oddHistograms").asInt()).isZero();
    assertThat(status.get("rollupsDeleted").asInt())
        .isEqualTo(status.get("rollupHistograms").asInt() - sketches);
    assertThat(points(of, stale)).isEmpty();
    for (String interval : List.of("1h", "1d")) {
      long from = HOUR - HOUR % (interval.equals("1d") ? 86_400 : 3600);
      assertThat(StoredRollups.percentiles(of.tsd(), metric, interval, from, from + 86_400, true))
          .hasSize(2)
          .isEqualTo(
              StoredRollups.percentiles(of.tsd(), metric, interval, from, from + 86_400, false));
    }
    HistogramMerger sum = Objects.requireNonNull(HistogramMerger.of(HistogramCodecs.SIMPLE));
    for (RawCell cell : IngestStack.get().hbase().cells("repair-salted-preagg")) {
      if (cell.value()[0] == 42) {
        sum.add(cell.value(), 1, cell.value().length - 1);
      }
    }
    assertThat(IngestStack.get().hbase().cells(dayTable))
        .filteredOn(cell -> cell.value()[0] == 42)
        .singleElement()
        .satisfies(
            cell -> {
              assertThat(cell.qualifier()).containsExactly(6, 0, 0);
              assertThat(Arrays.copyOfRange(cell.value(), 1, cell.value().length))
                  .isEqualTo(sum.bytes());
            });
    // A histogram that comes late.
    of.store("points", RepairStack.histogram(metric, HOUR + 30, 0, 40));
    of.store("requests", RepairStack.request(metric, HOUR, "10m", "1h", "1d"));
    assertThat(StoredRollups.percentiles(of.tsd(), metric, "1h", HOUR, HOUR + 3600, true))
        .isEqualTo(StoredRollups.percentiles(of.tsd(), metric, "1h", HOUR, HOUR + 3600, false));
  }

  private static String tagged(String message, String tags) {
    return message.replace("{\"host\":\"a\"}", tags);
  }

  private static Map<String, Map<Long, Double>> points(RepairStack of, QuerySpec query) {
    Map<String, Map<Long, Double>> points = new TreeMap<>();
    for (Series series : of.tsd().client().query(query)) {
      points.put(series.tags().toString(), series.points());
    }
    return points;
  }

  private static void rate(double rate) {
    stack.tsd().client().post("plugin/kafka-ingest/rate?group=repair-points&rate=" + rate, null);
  }

  /** Each request has one outcome, or is a dead letter. */
  static void assertBooksClose(JsonNode status) {
    assertBooksClose(status, 4 * status.at("/repairs/rollups").asLong());
  }

  private static void assertBooksClose(JsonNode status, long values) {
    JsonNode messages = status.get("messages");
    JsonNode repairs = status.get("repairs");
    long outcomes = 0;
    for (String outcome :
        List.of("repaired", "noPoints", "notEnded", "unknownSeries", "deduplicated")) {
      outcomes += repairs.get(outcome).asLong();
    }
    assertThat(messages.get("stored").asLong()).as("%s", status).isEqualTo(outcomes);
    long dead = 0;
    for (JsonNode count : status.get("deadLetters")) {
      dead += count.asLong();
    }
    assertThat(messages.get("deadLettered").asLong()).as("%s", status).isEqualTo(dead);
    assertThat(messages.get("consumed").asLong())
        .as("%s", status)
        .isEqualTo(
            outcomes
                + dead
                + messages.get("requeued").asLong()
                + messages.get("replayed").asLong());
    assertThat(status.at("/points/stored").asLong()).isEqualTo(values);
  }

  private static void assertRefused(RepairStack of, String reason, String request) {
    assertRefused(of, Map.of(request, reason));
  }

  /**
   * @param reasons by request
   */
  private static void assertRefused(RepairStack of, Map<String, String> reasons) {
    int dead = of.topics().readAll(of.deadLetters()).size();
    assertBooksClose(of.store("requests", reasons.keySet().toArray(String[]::new)));
    List<ConsumerRecord<byte[], byte[]>> letters = of.topics().readAll(of.deadLetters());
    assertThat(letters).hasSize(dead + reasons.size());
    Map<String, String> found = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> letter : letters.subList(dead, letters.size())) {
      found.put(new String(letter.value(), UTF_8), header(letter, "reason"));
    }
    assertThat(found).isEqualTo(reasons);
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader("kafka-ingest." + name).value(), UTF_8);
  }

  private static long now() {
    return System.currentTimeMillis() / 1000;
  }

  /** An hour in the middle of the day before yesterday. */
  private static long recentHour() {
    return now() - now() % 86_400 - 2 * 86_400 + 12 * 3600;
  }
}
