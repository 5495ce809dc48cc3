package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The whole stack, as the suite's other tests use it. The order is that of the flow. */
@Tag("slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StackIT {
  private static final long DAY = 1_600_041_600L; // 2020-09-14T00:00:00Z
  private static final long HOUR = 3600;
  private static Stack stack;

  @BeforeAll
  static void start() {
    long from = System.nanoTime();
    stack = Stack.in(WorkDirs.fresh("StackIT")).tsd().kafka().s3().start();
    print("start of all", from);
  }

  @AfterAll
  static void close() {
    stack.close();
  }

  private static void print(String what, long fromNanos) {
    System.out.printf("%s: %d ms%n", what, (System.nanoTime() - fromNanos) / 1_000_000);
  }

  private static List<DataPoint> points(String metric, Map<String, String> tags) {
    List<DataPoint> points = new ArrayList<>();
    for (int i = 0; i < 48 * 4; i++) {
      Object value = i % 2 == 0 ? (Object) (long) i : (Object) (i + 0.1);
      points.add(new DataPoint(metric, DAY + i * HOUR / 4, value, tags));
    }
    return points;
  }

  @Test
  @Order(1)
  void pointsComeBackInFullPrecision() {
    TsdClient tsd = stack.tsd().client();
    long from = System.nanoTime();
    tsd.put(points("kit.cpu", Map.of("host", "a", "stadt", "Zürich")));
    tsd.put(points("kit.cpu", Map.of("host", "b", "stadt", "Bern")), 50);
    print("put of 384 points", from);

    QuerySpec all = QuerySpec.of("kit.cpu", DAY, DAY + 48 * HOUR - 2);
    List<Series> raw = tsd.query(all);
    assertThat(raw).hasSize(2).allSatisfy(series -> assertThat(series.points()).hasSize(192));
    List<Series> sums = tsd.query(all.downsample("1h-sum").tag("stadt", "Zürich"));
    assertThat(sums).hasSize(1);
    assertThat(sums.get(0).metric()).isEqualTo("kit.cpu");
    assertThat(sums.get(0).tags()).isEqualTo(Map.of("host", "a", "stadt", "Zürich"));
    assertThat(sums.get(0).tsuids()).hasSize(1);
    assertThat(sums.get(0).points())
        .hasSize(48)
        .containsEntry(DAY * 1000, 0 + 1.1 + 2 + 3.1)
        .containsEntry((DAY + HOUR) * 1000, 4 + 5.1 + 6 + 7.1);
    assertThat(tsd.suggest("tagv", "Z", 10)).containsExactly("Zürich");
    assertThat(tsd.version()).isEqualTo("BuildData");
    assertThat(tsd.stats()).containsEntry("tsd.datapoints.added class=TSDB type=all", "384");
    tsd.dropCaches();
  }

  /** The client does this by itself when an answer is late. */
  @Test
  @Order(1)
  void theThreadsOfATsdAreKept() throws IOException {
    TsdServer tsd = stack.tsd();
    tsd.dumpThreads("api/query");
    Path dump = tsd.configFile().resolveSibling(tsd.name() + ".threads.txt");
    assertThat(dump).content().contains("\"main\"", "java.lang.Thread.State");
  }

  @Test
  @Order(2)
  void histogramsAnnotationsAndTelnet() {
    TsdClient tsd = stack.tsd().client();
    Map<String, String> tags = Map.of("host", "a");
    tsd.putHistogram("kit.hist", DAY, Map.of("0,1.75", 12L, "1.75,3.5", 16L), tags);
    tsd.put(List.of(new DataPoint("kit.note", DAY, 1L, tags)));
    String tsuid = tsd.query(QuerySpec.of("kit.note", DAY, DAY + 10)).get(0).tsuids().get(0);
    tsd.putAnnotation(tsuid, DAY, "a note");
    try (TelnetClient telnet = stack.tsd().telnet()) {
      telnet.put(List.of(new DataPoint("kit.telnet", DAY, "0.5", tags)));
      assertThatThrownBy(() -> telnet.put(List.of(new DataPoint("kit.telnet", DAY, "half", tags))))
          .isInstanceOf(TsdException.class)
          .hasMessageContaining("half");
    }
    Await.until(
        "the telnet point",
        Duration.ofSeconds(10),
        () ->
            tsd.suggest("metrics", "kit.telnet", 1).size() == 1
                && !tsd.query(QuerySpec.of("kit.telnet", DAY, DAY + 10)).isEmpty());
  }

  @Test
  @Order(3)
  void errorsCarryTheTsdsText() {
    TsdClient tsd = stack.tsd().client();
    assertThatThrownBy(() -> tsd.query(QuerySpec.of("kit.unknown", DAY, DAY + 1)))
        .isInstanceOf(TsdException.class)
        .hasMessageContaining("No such name for 'metrics': 'kit.unknown'");
    assertThatThrownBy(
            () -> tsd.put(List.of(new DataPoint("kit.cpu", DAY, 1L, Map.of("host", "a b")))))
        .isInstanceOf(TsdException.class)
        .hasMessageContaining("Invalid tag");
  }

  @Test
  @Order(4)
  void tablesAreFlushedSplitCompactedAndExported() throws IOException {
    HBaseServer hbase = stack.hbase();
    List<RawCell> before = hbase.cells("tsdb");
    assertThat(before).hasSizeGreaterThanOrEqualTo(384);
    long from = System.nanoTime();
    hbase.flush("tsdb");
    hbase.flush("tsdb-uid");
    print("flush of two tables", from);
    from = System.nanoTime();
    hbase.split("tsdb", before.get(before.size() / 2).row());
    print("split", from);
    try (Admin admin = hbase.connection().getAdmin()) {
      assertThat(admin.getRegions(TableName.valueOf("tsdb"))).hasSize(2);
    }
    RawCell odd = new RawCell(Bytes.toBytes("odd row"), "t", new byte[] {1}, 77, new byte[] {2});
    hbase.putCells("tsdb", List.of(odd));
    assertThat(hbase.cells("tsdb")).contains(odd).containsAll(before);
    hbase.deleteRow("tsdb", odd.row());
    RawCell first = before.get(0);
    hbase.deleteCell("tsdb", first.row(), first.family(), first.qualifier());
    from = System.nanoTime();
    hbase.majorCompact("tsdb");
    print("major compaction", from);
    List<RawCell> rest = new ArrayList<>(before);
    rest.remove(first);
    assertThat(hbase.cells("tsdb")).isEqualTo(rest);

    S3Server s3 = stack.s3();
    s3.createBucket("backup");
    from = System.nanoTime();
    hbase.snapshot("tsdb", "tsdb-20200914");
    print("snapshot", from);
    from = System.nanoTime();
    hbase.exportSnapshot("tsdb-20200914", "s3a://backup/hbase", s3.s3aProperties());
    print("export to s3a", from);
    Path exported = s3.directory("backup").resolve("hbase");
    assertThat(exported.resolve(".hbase-snapshot/tsdb-20200914/.snapshotinfo")).isNotEmptyFile();
    try (Stream<Path> files = Files.walk(exported.resolve("archive/data/default/tsdb"))) {
      assertThat(files.filter(Files::isRegularFile).filter(f -> f.getParent().endsWith("t")))
          .hasSizeGreaterThanOrEqualTo(2);
    }
    assertThatThrownBy(() -> hbase.exportSnapshot("missing", "s3a://backup/x", s3.s3aProperties()))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("missing");
  }

  @Test
  @Order(5)
  void theReadOnlyViewRefusesWrites() throws Exception {
    String info = "/backup/hbase/.hbase-snapshot/tsdb-20200914/.snapshotinfo";
    byte[] body = "x".getBytes(StandardCharsets.UTF_8);
    S3Server writer = stack.s3();
    long from = System.nanoTime();
    S3Server reader = writer.readOnlyView();
    print("start of the read-only view", from);
    SignedHttp write = new SignedHttp(writer.endpoint(), writer.accessKey(), writer.secretKey());
    SignedHttp read = new SignedHttp(reader.endpoint(), reader.accessKey(), reader.secretKey());
    SignedHttp wrong = new SignedHttp(reader.endpoint(), writer.accessKey(), writer.secretKey());
    assertThat(write.put("/backup/new", body).statusCode()).isEqualTo(200);
    HttpResponse<byte[]> got = read.get(info);
    assertThat(got.statusCode()).isEqualTo(200);
    assertThat(got.body())
        .isEqualTo(
            Files.readAllBytes(writer.directory("backup").getParent().resolve(info.substring(1))));
    assertThat(read.put("/backup/refused", body).statusCode()).isEqualTo(501);
    assertThat(read.delete("/backup/new").statusCode()).isEqualTo(501);
    assertThat(wrong.get(info).statusCode()).isEqualTo(403);
    assertThat(writer.directory("backup").resolve("new")).exists();
    assertThat(writer.directory("backup").resolve("refused")).doesNotExist();
  }

  @Test
  @Order(6)
  void kafkaKeepsRecordsOverRestarts() {
    KafkaServer kafka = stack.kafka();
    kafka.createTopic("rollups", 2);
    assertThat(kafka.readAll("rollups")).isEmpty();
    send(kafka, 0, 10);
    long from = System.nanoTime();
    kafka.stop();
    kafka.start();
    print("restart of kafka", from);
    send(kafka, 10, 20);
    Map<String, String> got = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : kafka.readAll("rollups")) {
      got.put(Bytes.toString(record.key()), Bytes.toString(record.value()));
    }
    assertThat(got).hasSize(20).containsEntry("k7", "v7").containsEntry("k19", "v19");
  }

  private static void send(KafkaServer kafka, int from, int to) {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      for (int i = from; i < to; i++) {
        assertThat(producer.send(new ProducerRecord<>("rollups", "k" + i, "v" + i)))
            .succeedsWithin(Duration.ofMinutes(5));
      }
    }
  }

  @Test
  @Order(7)
  void aSecondTsdHasItsOwnSchema() throws IOException {
    long from = System.nanoTime();
    TsdServer salted =
        stack.startTsd(
            "salted",
            Map.of(
                "tsd.storage.hbase.data_table", "salt:tsdb",
                "tsd.storage.hbase.uid_table", "salt:tsdb-uid",
                "tsd.storage.hbase.tree_table", "salt:tsdb-tree",
                "tsd.storage.hbase.meta_table", "salt:tsdb-meta",
                "tsd.storage.uid.width.metric", "4",
                "tsd.storage.salt.width", "1"));
    print("start of a second TSD with its tables", from);
    salted.client().put(List.of(new DataPoint("m", DAY, 42L, Map.of("host", "a"))));
    List<RawCell> cells = stack.hbase().cells("salt:tsdb");
    assertThat(cells).hasSize(1);
    assertThat(cells.get(0).row()).hasSize(1 + 4 + 4 + 3 + 3);
    assertThat(Files.readString(salted.configFile())).contains("tsd.storage.salt.width = 1");
    assertThat(stack.tsd("salted")).isSameAs(salted);
    salted.suspend();
    salted.resume();
    salted.kill();
    salted.start();
    assertThat(salted.client().suggest("metrics", "", 10)).containsExactly("m");
  }

  @Test
  @Order(8)
  void nothingIsLeftAfterTheEnd() throws IOException {
    Map<String, Long> pids = new LinkedHashMap<>();
    pids.put("hbase", stack.hbase().pid());
    pids.put("tsd", stack.tsd().pid());
    pids.put("salted tsd", stack.tsd("salted").pid());
    pids.put("kafka", stack.kafka().pid());
    pids.put("s3", stack.s3().pid());
    pids.put("s3 read-only", stack.s3().readOnlyView().pid());
    for (Map.Entry<String, Long> pid : pids.entrySet()) {
      System.out.println(pid.getKey() + ": " + residentMemory(pid.getValue()));
    }
    List<Integer> ports =
        List.of(
            stack.hbase().zkPort(),
            stack.tsd().port(),
            stack.kafka().port(),
            stack.s3().port(),
            stack.s3().readOnlyView().port());
    assertThat(ports).noneMatch(FreePorts::isFree);
    long from = System.nanoTime();
    stack.close();
    print("stop of all", from);
    assertThat(pids.values()).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
    assertThat(ProcessHandle.current().children()).isEmpty();
    assertThat(ports).allMatch(FreePorts::isFree);
  }

  private static String residentMemory(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    if (!Files.exists(status)) {
      return "unknown";
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines.filter(line -> line.startsWith("VmRSS")).findFirst().orElse("unknown");
    }
  }
}
