package io.tsdbsuite.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseCommands;
import io.tsdbsuite.testkit.SparkCommand;
import io.tsdbsuite.testkit.SparkHome;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the blocks of docs/first-rollups.md in their order, with the addresses of the test. */
@Tag("slow")
class FirstRollupsIT {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\n(.*?)^```$");
  private static final int POINTS_OF_AN_HOUR = 60;

  private final Path dir = WorkDirs.fresh("FirstRollupsIT").toAbsolutePath();
  private final Map<String, String> environment = new TreeMap<>();
  private final Map<String, String> names = new TreeMap<>();

  @Test
  void everyBlockOfThePage() throws Exception {
    try (Stack stack = Stack.in(dir.resolve("servers")).tsd().kafka().start()) {
      putTwoDays(stack.tsd());
      prepare(stack);
      List<String> blocks = blocks();
      int run = 0;
      assertThat(run(blocks.get(run++))).contains("value=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01");
      run(blocks.get(run++));
      run(blocks.get(run++).replace("'tsdb-", "'salted-"));
      tables(stack);
      run(blocks.get(run++));
      run(blocks.get(run++));
      run(blocks.get(run++));
      TsdServer tsd = restarted(stack);
      while (!blocks.get(run).contains("/lag")) {
        run(blocks.get(run++));
      }
      JsonNode report = new ObjectMapper().readTree(dir.resolve("first-rollups.json").toFile());
      // Of two series: 24 of 1h and 4 of 6h.
      assertThat(report.at("/messages/sent").asLong()).as("%s", report).isEqualTo(56);
      Await.until(
          "the rollups",
          SystemStack.PATIENCE,
          () ->
              tsd.client()
                      .get("plugin/kafka-ingest/status")
                      .at("/groups/0/messages/stored")
                      .asLong()
                  == 56);
      assertThat(run(blocks.get(run++))).contains("tsdb-rollups");
      assertThat(run(blocks.get(run++))).contains("added 1h, ", "added 6h, ");
      assertThat(run(blocks.get(run++))).containsPattern("equal +56\\b");
      String query = blocks.get(run++);
      Await.until(
          "the coverage to be read",
          SystemStack.PATIENCE,
          () -> run(query).contains("X-Rollup-Query: 0: 1h:24 raw:"));
      String answer = run(query);
      JsonNode graph = new ObjectMapper().readTree(answer.substring(answer.indexOf('[')));
      assertThat(graph).hasSize(2);
      for (JsonNode series : graph) {
        assertThat(series.get("dps")).as("%s", series).hasSize(48);
      }
      assertThat(run).isEqualTo(blocks.size());
    }
  }

  private static List<String> blocks() throws IOException {
    List<String> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(Files.readString(DOCS.resolve("first-rollups.md")));
    while (matcher.find()) {
      blocks.add(matcher.group(1));
    }
    return blocks;
  }

  /** Of two days, since the day may end while the test runs. */
  private static void putTwoDays(TsdServer tsd) {
    long begin =
        LocalDate.now(ZoneOffset.UTC).minusDays(2).atStartOfDay(ZoneOffset.UTC).toEpochSecond();
    List<DataPoint> points = new ArrayList<>();
    for (int i = 0; i < 48 * POINTS_OF_AN_HOUR; i++) {
      for (String host : List.of("web1", "web2")) {
        long time = begin + i * 3600L / POINTS_OF_AN_HOUR;
        points.add(new DataPoint("sys.cpu.user", time, (long) i, Map.of("host", host)));
      }
    }
    tsd.client().put(points);
  }

  /** The commands that the page uses, and its names with the test's in their place. */
  private void prepare(Stack stack) throws Exception {
    Path etc = Files.createDirectories(dir.resolve("etc"));
    Files.copy(stack.tsd().configFile(), etc.resolve("opentsdb.conf"));
    Files.copy(DOCS.resolve("examples/rollup_config.json"), etc.resolve("rollup_config.json"));
    Path bin = HBaseCommands.write(dir.resolve("hbase"), stack.hbase().clientSite(), Map.of());
    executable(bin.resolve("systemctl"), "[[ $* == 'restart opentsdb' ]]");
    executable(bin.resolve("kafka-topics.sh"), kafkaTopics());
    Path jobs = Path.of("..", "rollup-job", "bin").toRealPath();
    environment.put("PATH", bin + ":" + jobs + ":" + System.getenv("PATH"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("SPARK_HOME", SparkHome.get().toString());
    environment.put("SPARK_LOCAL_DIRS", dir.resolve("spark").toString());
    environment.put("SPARK_LOCAL_IP", "127.0.0.1");
    environment.put(
        "SPARK_OPTIONS", "--master local[2] --conf spark.ui.enabled=false --driver-memory 640m");
    names.put("/etc/opentsdb", etc.toString());
    names.put("broker1:9092", stack.kafka().bootstrapServers());
    names.put("hdfs:///hbase", stack.hbase().rootDir());
    // One broker.
    names.put("--replication-factor 3", "--replication-factor 1");
    names.put("min.insync.replicas=2", "min.insync.replicas=1");
  }

  /** Kafka's command of 2.8, whose class its server brings; it speaks with later brokers. */
  private static String kafkaTopics() throws IOException {
    String resource = "META-INF/testkit/testkit-server-kafka2.classpath";
    try (var in = FirstRollupsIT.class.getClassLoader().getResourceAsStream(resource)) {
      String classPath =
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8).strip();
      return "exec '%s' %s -cp '%s' kafka.admin.TopicCommand \"$@\""
          .formatted(
              Path.of(System.getProperty("java.home"), "bin", "java"),
              SparkCommand.SHORT_LIVED,
              classPath);
    }
  }

  private static void executable(Path file, String body) throws IOException {
    Files.writeString(file, "#!/usr/bin/env bash\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /** Runs a block as a script that ends with the first command that fails. */
  private String run(String block) throws Exception {
    String script = block;
    for (Map.Entry<String, String> name : names.entrySet()) {
      script = script.replace(name.getKey(), name.getValue());
    }
    Path out = Files.createTempFile(dir, "block", ".out");
    Path err = Files.createTempFile(dir, "block", ".err");
    ProcessBuilder builder =
        new ProcessBuilder("/bin/bash", "-euo", "pipefail", "-c", script)
            .directory(dir.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(10, TimeUnit.MINUTES)).as(script).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertThat(process.exitValue())
        .as("%s%n%s%s", script, Files.readString(out), Files.readString(err))
        .isZero();
    return Files.readString(out);
  }

  private static void tables(Stack stack) throws IOException {
    try (Admin admin = stack.hbase().connection().getAdmin()) {
      for (Map.Entry<String, Integer> table :
          Map.of("tsdb-rollup-1h", 4, "tsdb-rollup-6h", 4, "salted-rollup-6h", 20).entrySet()) {
        TableName name = TableName.valueOf(table.getKey());
        TableDescriptor descriptor = admin.getDescriptor(name);
        assertThat(descriptor.getColumnFamilyCount()).isEqualTo(1);
        ColumnFamilyDescriptor family = descriptor.getColumnFamily(Bytes.toBytes("t"));
        assertThat(family.getMaxVersions()).isEqualTo(1);
        assertThat(family.getBloomFilterType()).isEqualTo(BloomType.ROW);
        assertThat(family.getDataBlockEncoding()).isEqualTo(DataBlockEncoding.DIFF);
        assertThat(family.getTimeToLive()).isEqualTo(5 * 365 * 86_400);
        assertThat(admin.getRegions(name)).as("%s", name).hasSize(table.getValue());
      }
      // The first key of the second region has the width of what begins a row.
      assertThat(secondRegion(admin, "tsdb-rollup-6h")).containsExactly(0, 9, 0xC4);
      assertThat(secondRegion(admin, "salted-rollup-6h")).containsExactly(1);
    }
  }

  private static byte[] secondRegion(Admin admin, String table) throws IOException {
    return admin.getRegions(TableName.valueOf(table)).get(1).getStartKey();
  }

  /** What {@code systemctl restart} does: the TSD with the file that the page has changed. */
  private TsdServer restarted(Stack stack) throws IOException {
    stack.tsd().stop();
    Properties file = new Properties();
    try (Reader reader = Files.newBufferedReader(dir.resolve("etc/opentsdb.conf"))) {
      file.load(reader);
    }
    Map<String, String> conf = new TreeMap<>();
    file.stringPropertyNames().forEach(key -> conf.put(key, file.getProperty(key)));
    TsdServer tsd =
        stack.startTsd(
            "restarted",
            conf,
            List.of(
                Path.of(System.getProperty("ingest.jar")),
                Path.of(System.getProperty("query.jar"))));
    names.put("tsd:4242", "127.0.0.1:" + tsd.port());
    return tsd;
  }
}
