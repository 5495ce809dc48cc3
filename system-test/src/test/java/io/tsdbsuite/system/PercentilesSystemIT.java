package io.tsdbsuite.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Histograms of rollups, the first day's as HFiles and the second day's through Kafka: a stock
 * query for pre-aggregates answers percentiles of the points within 1 %, and of histograms that
 * clients have sent the same as from raw data; rollup-query answers the same. The third day is of
 * the stream.
 */
@Tag("slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PercentilesSystemIT {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;

  /** Midnight of 18 November 2025, UTC. */
  private static final long FIRST = 1763424000;

  private static final long SECOND = FIRST + DAY;
  private static final long THIRD = SECOND + DAY;

  /** Of which each series has a value in each. */
  private static final long STEP = 120;

  private static final String COVERAGE = "pct-coverage";
  private static final String POINTS = "pct.points";
  private static final String NATIVE = "pct.native";
  private static final List<String> HOSTS = List.of("a", "b", "c");
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final double[] PERCENTS = {50, 95, 99.9};

  private static SystemStack stack;
  private static TsdServer tsd;
  private static Path directory;

  /** The values by time, of all series. */
  private static final TreeMap<Long, List<Double>> VALUES = new TreeMap<>();

  @BeforeAll
  static void start() throws Exception {
    stack = SystemStack.get();
    directory = SystemStack.directory("pct");
    Map<String, String> conf = stack.maskingConf("pct");
    // Else every point here would be a late one.
    conf.keySet().removeIf(key -> key.startsWith("KafkaRpcPlugin.coverage."));
    conf.put("tsd.core.histograms.config", TsdServer.SKETCH_CONFIG);
    conf.put("tsd.rtpublisher.enable", "false");
    conf.computeIfPresent(
        "tsd.rollups.config",
        (key, rollups) ->
            rollups
                .replace("\"preAggregationTable\":\"pct-data\"", preAggregates("pct-hist-1h"))
                .replace(
                    "\"intervals\":",
                    "\"suite\":{\"histograms\":[{\"metrics\":\"pct.*\",\"intervals\":\"1h,1d\"}],"
                        + "\"histogramTables\":{\"1h\":\"pct-hist-1h\",\"1d\":\"pct-hist-1d\"}},"
                        + "\"intervals\":"));
    try (Admin admin = stack.hbase().connection().getAdmin()) {
      OpenTsdbTables.of(conf).coverage(COVERAGE).create(admin);
    }
    try (CoverageTable table = new CoverageTable(stack.hbase().connection(), COVERAGE)) {
      table.upgrade(CoverageRows.LEVEL_VERSION);
    }
    tsd = stack.startTsd("pct", conf);
    put();
  }

  @AfterAll
  static void stop() {
    tsd.stop();
  }

  private static String preAggregates(String table) {
    return "\"preAggregationTable\":\"" + table + "\"";
  }

  private static void put() {
    Random random = Seed.random();
    List<DataPoint> points = new ArrayList<>();
    for (long time = FIRST; time < SECOND + DAY; time += STEP) {
      for (String host : HOSTS) {
        double value = Math.exp(3 + 1.5 * random.nextGaussian()) - 2;
        points.add(new DataPoint(POINTS, time, value, Map.of("host", host)));
        VALUES.computeIfAbsent(time, any -> new ArrayList<>()).add(value);
      }
    }
    tsd.client().put(points, 3000);
    for (long time = FIRST + 7; time < SECOND + DAY; time += 4500) {
      Map<String, Long> buckets =
          Map.of("0,10", 1L + random.nextInt(50), "10,20", 1L + random.nextInt(50), "20,50", 3L);
      tsd.client()
          .putHistogram(NATIVE, time, buckets, Map.of("host", HOSTS.get((int) (time / 4500 % 2))));
    }
  }

  /**
   * Percentiles by name of the series, then time.
   *
   * @param preAggregate from the table of histograms of an hour; else from raw data
   */
  private static Map<String, Map<Long, Double>> query(
      String metric, String downsampler, long from, long to, boolean preAggregate) {
    ObjectNode body = body(metric, downsampler, from, to);
    ObjectNode query = (ObjectNode) body.get("queries").get(0);
    query.put("rollupUsage", "ROLLUP_RAW").put("preAggregate", preAggregate);
    return answers(tsd.client().post("api/query", body));
  }

  private static ObjectNode body(String metric, String downsampler, long from, long to) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("start", from).put("end", to - 2);
    ObjectNode query = body.putArray("queries").addObject();
    query.put("metric", metric).put("aggregator", "sum").put("downsample", downsampler);
    for (double percent : PERCENTS) {
      query.withArray("percentiles").add(percent);
    }
    return body;
  }

  private static Map<String, Map<Long, Double>> answers(JsonNode answered) {
    Map<String, Map<Long, Double>> answers = new TreeMap<>();
    for (JsonNode series : answered) {
      Map<Long, Double> answer =
          answers.computeIfAbsent(series.get("metric").asText(), any -> new TreeMap<>());
      series
          .get("dps")
          .properties()
          .forEach(e -> answer.put(Long.parseLong(e.getKey()), e.getValue().asDouble()));
    }
    return answers;
  }

  /** rollup-query reads the levels, and answers to the last bit what the one table gives. */
  private static void requireRollupQuery(String metric, String downsampler, String plan)
      throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + tsd.port() + "/plugin/rollup-query/api/query");
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .POST(
                BodyPublishers.ofString(body(metric, downsampler, FIRST, SECOND + DAY).toString()))
            .build();
    AtomicReference<String> body = new AtomicReference<>();
    Await.until(
        "a query by " + plan,
        SystemStack.PATIENCE,
        () -> {
          HttpResponse<String> answer = HTTP.send(request, BodyHandlers.ofString());
          assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
          body.set(answer.body());
          return answer.headers().firstValue("X-Rollup-Query").orElseThrow().equals(plan);
        });
    Map<String, Map<Long, Double>> stock = query(metric, downsampler, FIRST, SECOND + DAY, true);
    assertThat(answers(new ObjectMapper().readTree(body.get()))).hasSize(3).isEqualTo(stock);
  }

  private static void requireAnswers(long from, long to) {
    for (long width : new long[] {HOUR, 3 * HOUR, DAY}) {
      String downsampler = width / HOUR + "h-sum";
      Map<String, Map<Long, Double>> found = query(POINTS, downsampler, from, to, true);
      for (double percent : PERCENTS) {
        Map<Long, Double> answer = found.get(POINTS + "_pct_" + percent);
        assertThat(answer).as("%s of %s", downsampler, found).hasSize((int) ((to - from) / width));
        answer.forEach((start, value) -> requireClose(start, start + width, percent, value));
      }
      Map<String, Map<Long, Double>> ofClients = query(NATIVE, downsampler, from, to, true);
      assertThat(ofClients).hasSize(PERCENTS.length);
      assertThat(ofClients).as(downsampler).isEqualTo(query(NATIVE, downsampler, from, to, false));
    }
  }

  /** Within 1 % of the larger of the two values between which the percentile lies. */
  private static void requireClose(long from, long to, double percent, double found) {
    double[] sorted =
        VALUES.subMap(from, to).values().stream()
            .flatMap(List::stream)
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    // A TSD reads the percentage as a float.
    double p = (float) percent;
    int above = Math.min(sorted.length - 1, (int) (p / 100 * (sorted.length + 1)));
    double neighbours = Math.max(Math.abs(sorted[above]), Math.abs(sorted[Math.max(0, above - 1)]));
    assertThat(found)
        .as("p%s of %s to %s", percent, Instant.ofEpochSecond(from), Instant.ofEpochSecond(to))
        .isCloseTo(
            Percentiles.of(sorted, 0, sorted.length, p), within(0.01 * neighbours * (1 + 1e-9)));
  }

  private static JsonNode command(String name, String... arguments) throws IOException {
    Path report = directory.resolve(name + ".json");
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--tsd-config=" + tsd.configFile());
    all.add("--report=" + report);
    RollupJob.Run run = RollupJob.main(report, all, Map.of());
    assertThat(run.exitCode()).as(run.output()).isEqualTo(ExitCode.DONE);
    return run.report();
  }

  private static JsonNode roll(String name, long day, String... sink) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--snapshot-root=" + stack.hbase().rootDir(),
                "--data-snapshot=pct-data-1",
                "--uid-snapshot=pct-uid-1",
                "--interval=1h,1d",
                "--from=" + Instant.ofEpochSecond(day),
                "--to=" + Instant.ofEpochSecond(day + DAY)));
    arguments.addAll(List.of(sink));
    return command(name, arguments.toArray(String[]::new));
  }

  @Test
  @Order(1)
  void aDayByHFilesAndOneThroughKafka() throws Exception {
    stack.hbase().snapshot("pct-data", "pct-data-1");
    stack.hbase().snapshot("pct-uid", "pct-uid-1");
    roll("hfiles", FIRST, "--sink=hfile", "--hfile-dir=" + directory.resolve("hfiles").toUri());
    try (Stream<Path> runs = Files.list(directory.resolve("hfiles"))) {
      String files = "--hfile-dir=" + runs.findFirst().orElseThrow().toUri();
      command("load", "load", files, "--coverage-table=" + COVERAGE);
    }
    requireAnswers(FIRST, SECOND);
    assertThat(query(POINTS, "1d-sum", SECOND, SECOND + DAY, true)).isEmpty();

    roll(
        "kafka",
        SECOND,
        "--kafka-bootstrap=" + stack.kafka().bootstrapServers(),
        "--topic=pct-rollups");
    Await.until(
        "the rollups are stored",
        SystemStack.PATIENCE,
        () -> stack.topics().lag("pct-rollups", "pct-rollups") == 0);
    requireAnswers(SECOND, SECOND + DAY);
    requireAnswers(FIRST, SECOND + DAY);
    command(
        "coverage",
        "coverage",
        "add",
        "--evidence=" + directory.resolve("kafka.json"),
        "--patience=1m",
        "--coverage-table=" + COVERAGE);
    requireRollupQuery(POINTS, "1d-sum", "0: 1d.histogram:2 (within 1 %)");
    requireRollupQuery(POINTS, "3h-sum", "0: 1h.histogram:48 (within 1 %)");
    requireRollupQuery(NATIVE, "1d-sum", "0: 1d.histogram:2");
    // The table of days; a row of its own has the table's identity, for the coverage.
    assertThat(stack.hbase().cells("pct-hist-1d"))
        .filteredOn(cell -> cell.qualifier().length == 3)
        .hasSize(2 * (HOSTS.size() + 2))
        .allSatisfy(cell -> assertThat(cell.qualifier()).containsExactly(6, 0, 0));
  }

  private static String histogram(String host, long time, String fields) {
    return InputPoints.point("pct.stream", host, time, 0)
        .replace("Metric", "Histogram")
        .replace("\"value\":0", fields);
  }

  /** A sketch, or buckets of a SimpleHistogram. */
  private static String drawn(Random random, boolean isSketch) {
    if (!isSketch) {
      return "\"buckets\":{\"0,10\":" + random.nextInt(50) + ",\"10,20.5\":3},\"overflow\":1";
    }
    Sketch sketch = new Sketch();
    sketch.addAll(new double[] {Math.exp(random.nextGaussian()), random.nextInt(9)}, 0, 2);
    return "\"id\":43,\"value\":\"" + Base64.getEncoder().encodeToString(sketch.bytes()) + "\"";
  }

  private static void send(long time, String... elements) {
    List<ProducerRecord<byte[], byte[]>> messages = new ArrayList<>();
    for (String each : elements) {
      messages.add(
          new ProducerRecord<>(
              "pct-points", 0, time * 1000, null, each.getBytes(StandardCharsets.UTF_8)));
    }
    stack.topics().send(messages);
  }

  private static void tick(long time) {
    send(time, InputPoints.point("pct.tick", "t", time, 1));
  }

  /**
   * Histograms beside points and alone, and one that is late: the batch finds all rollups equal.
   */
  @Test
  @Order(2)
  void theHistogramsOfTheStreamAreThoseOfTheBatch() throws Exception {
    Random random = Seed.random();
    long late = THIRD + 2 * HOUR + 900;
    long elements = 1;
    JsonNode books;
    tick(THIRD - HOUR);
    try (StreamProcess stream = StreamProcess.submitted(tsd, "pct")) {
      for (long time = THIRD; time < THIRD + DAY; time += 600) {
        send(
            time,
            histogram("sketches", time, drawn(random, true)),
            histogram("simple", time * 1000 + 5, drawn(random, false)),
            histogram("mixed", time, drawn(random, true)),
            InputPoints.point("pct.stream", time < late ? "mixed" : "points", time, time % 977));
        elements += 4;
        if (time == THIRD + 6 * HOUR) {
          stream.awaitComplete("1h", THIRD + 5 * HOUR);
          send(time + 1, histogram("simple", late, drawn(random, false)));
          elements++;
        }
      }
      tick(THIRD + DAY + 120);
      stream.awaitComplete("1d", THIRD + DAY);
      elements++;
      books = stream.stop();
    }
    for (String topic : List.of("pct-points", "pct-rollups", "pct-requests")) {
      Await.until(
          topic + " to be stored",
          SystemStack.PATIENCE,
          () -> stack.topics().lag(topic, topic) == 0);
    }
    assertThat(books.get("booksClose").asBoolean()).isTrue();
    assertThat(books.get("consumed").asLong()).isEqualTo(elements);
    assertThat(books.get("late").asLong()).isEqualTo(1);
    assertThat(books.get("other").asLong()).isZero();
    assertThat(books.get("moreDropped").asLong()).isZero();
    assertThat(books.get("histogramsLeft").asLong()).isZero();
    List<JsonNode> requests = new ArrayList<>(stack.read("pct-requests", "pct.stream"));
    assertThat(requests).extracting(request -> request.get("reason").asText()).containsOnly("late");
    List<String> tables =
        List.of("pct-data", "pct-uid", "pct-1h", "pct-1d", "pct-hist-1h", "pct-hist-1d");
    for (String table : tables) {
      stack.hbase().snapshot(table, table + "-2");
    }
    JsonNode compared =
        command(
                "verify",
                "verify",
                "--snapshot-root=" + stack.hbase().rootDir(),
                "--data-snapshot=pct-data-2",
                "--uid-snapshot=pct-uid-2",
                "--against-snapshot=" + String.join("-2,", tables.subList(2, 6)) + "-2",
                "--interval=1h,1d",
                "--from=" + Instant.ofEpochSecond(THIRD),
                "--to=" + Instant.ofEpochSecond(THIRD + DAY))
            .get("compared");
    // Histograms alone: sketches and simple; with points mixed in three hours; points alone.
    assertThat(compared.at("/byInterval/1h.histogram/equal").asLong()).isEqualTo(24 * 4 - 2);
    assertThat(compared.at("/byInterval/1d.histogram/equal").asLong()).isEqualTo(4);
  }
}
