package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.KafkaTopics;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.TsdServer;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** The steps of docs/kafka-ingest.md, Install: its opentsdb.conf, its topics, its point. */
class FirstPointsIT {
  private static final Path DOCS = Path.of("..", "docs");
  private static final int SERIES = 6000;

  @Test
  void theStepsOfThePage() throws Exception {
    String page = Files.readString(DOCS.resolve("kafka-ingest.md"));
    KafkaTopics topics = new KafkaTopics(IngestStack.get().kafka().bootstrapServers());
    Matcher create = Pattern.compile("--create --topic (\\S+) --partitions (\\d+)").matcher(page);
    while (create.find()) {
      topics.create(create.group(1), Integer.parseInt(create.group(2)));
    }
    TsdServer tsd = IngestStack.get().startTsd("first", conf(), List.of(IngestStack.jar()));
    Await.until(
        "readiness",
        IngestStack.PATIENCE,
        () -> IngestStack.status(tsd.client(), "points").get("notReady").isNull());

    Matcher point =
        Pattern.compile("(?m)^(\\S+\\{\\S+})\\|(\\{\"type\":\"Metric\".*)$").matcher(page);
    assertThat(point.find()).isTrue();
    topics.send(
        List.of(
            new ProducerRecord<>(
                "tsdb-points",
                point.group(1).getBytes(StandardCharsets.UTF_8),
                point.group(2).getBytes(StandardCharsets.UTF_8))));
    IngestStack.awaitCaughtUp(tsd, "points", 1);
    Matcher query = Pattern.compile("curl 'http://tsd:4242/(api/query\\S+)'").matcher(page);
    assertThat(query.find()).isTrue();
    assertThat(tsd.client().get(query.group(1)).at("/0/dps/1790000000").asDouble()).isEqualTo(42.5);
    onlyTheApiAnswers(tsd.client());
    tsd.stop();
  }

  /**
   * With the flags of the unit: each series of an answer deepens the stack of OpenTSDB's threads.
   */
  @Test
  void aQueryOfThousandsOfSeriesIsAnswered() throws Exception {
    Matcher flags =
        Pattern.compile("JVMARGS=([^\"]+)\"")
            .matcher(Files.readString(DOCS.resolve("examples/opentsdb.service")));
    assertThat(flags.find()).isTrue();
    TsdServer tsd =
        TsdServer.start(
            IngestStack.directory("series"),
            "series",
            IngestStack.get().hbase().zkQuorum(),
            Map.of(),
            List.of(),
            // The default of Java, unless the unit has another.
            Stream.of(("-Xss1m " + flags.group(1)).split(" ", -1))
                .filter(flag -> flag.startsWith("-Xss"))
                .toList());
    List<DataPoint> points = new ArrayList<>();
    for (int i = 0; i < SERIES; i++) {
      Map<String, String> tags = Map.of("low", "v" + i % 100, "high", "v" + i / 100);
      points.add(new DataPoint("many.series", 1790000000, (long) i, tags));
    }
    tsd.client().put(points);
    // The names come from HBase: OpenTSDB then continues in the thread of the last answer.
    tsd.client().dropCaches();
    QuerySpec all = QuerySpec.of("many.series", 1790000000, 1790000010);
    assertThat(tsd.client().query(all)).hasSize(SERIES);
    tsd.stop();
  }

  /** docs/securing-a-tsd.md: the example switches OpenTSDB's pages off, /q among them. */
  private static void onlyTheApiAnswers(TsdClient tsd) {
    for (String path :
        List.of(
            "q?start=1789999999&end=1790000001&m=sum:sys.cpu.user&png",
            "",
            "s/queryui.nocache.js",
            "favicon.ico",
            "suggest?type=metrics&q=",
            "aggregators",
            "logs?json",
            "stats?json",
            "version?json",
            "diediedie")) {
      assertThatThrownBy(() -> tsd.get(path))
          .as("/%s", path)
          .isInstanceOfSatisfying(
              TsdException.class, refused -> assertThat(refused.status()).isEqualTo(404));
    }
    tsd.put(List.of(new DataPoint("sys.cpu.user", 1790000002, 1L, Map.of("host", "web1"))));
    assertThat(tsd.suggest("metrics", "sys.", 10)).containsExactly("sys.cpu.user");
    for (String path :
        List.of("api/aggregators", "api/version", "api/stats", "plugin/kafka-ingest/status")) {
      assertThat(tsd.get(path)).as(path).isNotEmpty();
    }
    // What the page warns of: every key whose name does not contain "pass" is shown.
    assertThat(tsd.get("api/config").has("KafkaRpcPlugin.kafka.bootstrap.servers")).isTrue();
  }

  /** The page's file with the addresses of the test. */
  private static Map<String, String> conf() throws Exception {
    Properties file = new Properties();
    try (Reader reader = Files.newBufferedReader(DOCS.resolve("examples/opentsdb.conf"))) {
      file.load(reader);
    }
    Map<String, String> conf = new TreeMap<>();
    file.stringPropertyNames().forEach(key -> conf.put(key, file.getProperty(key)));
    List.of(
            "tsd.network.port",
            "tsd.http.staticroot",
            "tsd.http.cachedir",
            "tsd.storage.hbase.zk_quorum")
        .forEach(key -> assertThat(conf.remove(key)).as(key).isNotNull());
    conf.put(
        "tsd.rollups.config",
        DOCS.resolve("examples/rollup_config.json").toAbsolutePath().normalize().toString());
    conf.put(
        "KafkaRpcPlugin.kafka.bootstrap.servers", IngestStack.get().kafka().bootstrapServers());
    return conf;
  }
}
