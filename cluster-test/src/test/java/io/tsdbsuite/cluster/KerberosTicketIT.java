package io.tsdbsuite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.HadoopServer;
import io.tsdbsuite.testkit.Kdc;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.security.access.Permission;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tickets of kinit, valid and expired, where HDFS and HBase encrypt what they send. */
@Tag("slow")
class KerberosTicketIT {
  private static final Duration TOKEN = Duration.ofSeconds(40);

  /** YARN renews the tokens of a job in cluster mode until then. */
  private static final Duration LONGEST = TOKEN.multipliedBy(3);

  private static final Duration TICKET = Duration.ofSeconds(100);

  private static final Duration LONG = Duration.ofMinutes(3);
  private static final String PRIVACY = "privacy";

  private static ClusterStack stack;
  private static RollupData data;
  private static FileSystem hdfs;

  @BeforeAll
  static void write() throws IOException {
    stack =
        ClusterStack.secured(
            WorkDirs.fresh("KerberosTicketIT"),
            2,
            TICKET,
            TOKEN,
            Map.of(
                ClusterStack.RPC_PROTECTION,
                PRIVACY,
                "hadoop.rpc.protection",
                PRIVACY,
                "dfs.data.transfer.protection",
                PRIVACY));
    data = RollupData.write(stack, "enc").snapshots();
    hdfs = stack.hadoop().fileSystem();
    grant(List.of(data.table("uid")), Permission.Action.READ);
  }

  @AfterAll
  static void stop() throws IOException {
    if (stack != null) {
      stack.close();
    }
  }

  private static void grant(List<String> tables, Permission.Action... rights) throws IOException {
    try (Admin admin = stack.hbase().master().connection().getAdmin()) {
      for (String table : tables) {
        ClusterStack.grant(admin, "tsdb", table, rights);
      }
    }
  }

  /** A ticket of tsdb. */
  private static Path ticket() throws IOException {
    Path cache = stack.directory("cache").resolve("tickets");
    stack.kdc().kinit("tsdb", "tsdb", cache);
    return cache;
  }

  /** One that has expired. */
  private static Path expiredTicket() throws IOException {
    Path cache = stack.directory("cache").resolve("expired");
    Instant end = stack.kdc().kinit("tsdb", "tsdb", cache, Duration.ofSeconds(5));
    assertThat(end).isBefore(Instant.now().plus(TICKET));
    Await.until("the end of the ticket", LONG, () -> Instant.now().isAfter(end));
    return cache;
  }

  /** Rolls up to a topic with names from HBase, so that executors talk to both. */
  private static YarnSubmit.Job rollup(Mode mode, Path cache, String topic, String... more)
      throws IOException {
    stack.kafka().createTopic(topic, 1);
    return data.rollup(
        stack.submit(mode, stack.directory("submit")).environment("KRB5CCNAME", cache.toString()),
        mode,
        List.of(
            data.withoutNames(RollupData.EXPORT),
            RollupData.day(),
            List.of(
                "--kafka-bootstrap=" + stack.kafka().bootstrapServers(),
                "--topic=" + topic,
                "--uid-source=hbase",
                "--report=" + stack.hadoop().uri() + "/jobs/" + topic + ".json"),
            List.of(more)));
  }

  /** Spark takes the tokens of the ticket along; the containers have no ticket. */
  @ParameterizedTest
  @EnumSource
  void rollupsByATicket(Mode mode) throws Exception {
    String topic = "ticket-" + mode.option();
    try (YarnSubmit.Job job = rollup(mode, ticket(), topic)) {
      Program.Outcome outcome = job.await();
      assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    }
    RollupMessages messages = new RollupMessages();
    stack.kafka().readAll(topic).forEach(message -> messages.add(message.value()));
    assertThat(RollupDiff.of(Points.expected(data.tsd(), "1h"), messages.rollups())).isEmpty();
  }

  /**
   * In cluster mode YARN renews the tokens of a ticket, but not past their longest life. When they
   * are dead, a node with an executor is killed: its successor is refused. The run has 288
   * messages, 2 in a second.
   */
  @Test
  void aTicketEndsWithItsTokensInClusterMode() throws Exception {
    String topic = "ticket-long";
    try (YarnSubmit.Job job =
        rollup(
            Mode.CLUSTER,
            ticket(),
            topic,
            "--max-messages-per-second=2",
            "--partition-size=0.001")) {
      // Spark has got the tokens before the application has its first container.
      job.node(YarnSubmit.MASTER);
      Instant end = Instant.now().plus(LONGEST);
      job.awaitMessages(stack.kafka(), topic, 1);
      Await.until("the end of the tokens", LONG, () -> Instant.now().isAfter(end));
      HadoopServer other = job.nodeWithout(YarnSubmit.MASTER);
      assertThat(other.commandLines()).anyMatch(line -> line.contains(YarnSubmit.EXECUTOR));
      other.kill();
      Program.Outcome outcome = job.await();
      other.start();
      assertThat(outcome.exitCode()).as(outcome.output()).isNotZero();
      assertThat(outcome.output())
          .contains("a delegation token has expired", "--principal and --keytab");
    }
  }

  private static String path(String module) {
    return Path.of("..", module, "bin", module).toAbsolutePath().toString();
  }

  private static Program.Outcome bulkLoader(Path cache, String... arguments) throws Exception {
    Path dir = stack.directory("bulk-loader");
    List<String> command = new ArrayList<>(List.of(path("bulk-loader")));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--work-dir=" + dir.resolve("work"), "--progress=plain"));
    Map<String, String> environment = new TreeMap<>(environment(cache));
    environment.put("BULK_LOADER_JAR", System.getProperty("loader.jar"));
    environment.put("HADOOP_CONF_DIR", stack.hadoop().confDir().toString());
    return Program.start(dir, environment, command).await();
  }

  private static Program.Outcome seriesReport(Path cache, String root, String tables)
      throws Exception {
    Map<String, String> environment = new TreeMap<>(environment(cache));
    environment.put("SERIES_REPORT_JAR", System.getProperty("report.jar"));
    environment.put(
        "HBASE_CLASSPATH", stack.hadoop().confDir() + ":" + stack.hadoop().clientClassPath());
    return Program.start(
            stack.directory("series-report"),
            environment,
            List.of(
                path("series-report"),
                "idle",
                "--days=1",
                "--root-dir=" + root,
                "--snapshot=" + tables + "-meta-1",
                "--uid-snapshot=" + tables + "-uid-1"))
        .await();
  }

  private static Map<String, String> environment(Path cache) {
    return Map.of(
        "KRB5CCNAME",
        cache.toString(),
        "JAVA_OPTS",
        "-Xmx512m -XX:TieredStopAtLevel=1 " + String.join(" ", stack.jvmFlags()));
  }

  /**
   * Points with their meta data by bulk-loader, then series-report over an export, which tsdb may
   * read, and over the root of the running HBase, which it may not.
   */
  @Test
  void loadsAndReportsSeriesByATicket() throws Exception {
    LoadData text = new LoadData(stack, hdfs);
    TsdServer tsd = stack.tsd("series");
    grant(
        List.of("series-data", "series-uid", "series-meta"),
        Permission.Action.READ,
        Permission.Action.WRITE);
    Program.Outcome refused = load(tsd, text);
    assertThat(refused.exitCode()).as(refused.output()).isEqualTo(2);
    assertThat(refused.output())
        .contains("principal tsdb@" + Kdc.REALM + " lacks a right, grant it", "action=CREATE")
        .doesNotContain("\tat ");
    grant(
        List.of("series-data"),
        Permission.Action.READ,
        Permission.Action.WRITE,
        Permission.Action.CREATE);
    Program.Outcome loaded = load(tsd, text);
    assertThat(loaded.exitCode()).as(loaded.output()).isZero();
    assertThat(Values.of(tsd)).isEqualTo(text.expected());
    HBaseServer hbase = stack.hbase().master();
    String exports = stack.hadoop().uri() + "/exports/series";
    for (String table : List.of("meta", "uid")) {
      hbase.snapshot("series-" + table, "series-" + table + "-1");
      hbase.exportSnapshot("series-" + table + "-1", exports, Map.of());
    }
    Program.Outcome report = seriesReport(ticket(), exports, "series");
    assertThat(report.exitCode()).as(report.output()).isZero();
    assertThat(report.output()).contains("12 series", "cluster.a{host=h0}", "cluster.c{host=h3}");
    Program.Outcome denied = seriesReport(ticket(), hbase.rootDir(), "series");
    assertThat(denied.exitCode()).as(denied.output()).isEqualTo(2);
    assertThat(denied.output())
        .contains("principal tsdb@" + Kdc.REALM + " lacks a right, grant it: Permission denied")
        .doesNotContain("\tat ");
  }

  private static Program.Outcome load(TsdServer tsd, LoadData text) throws Exception {
    return bulkLoader(
        ticket(),
        "load",
        "--mode=put",
        "--meta",
        "--tsd-config=" + tsd.configFile(),
        "--input=" + text.input());
  }

  /** Each program says whose ticket has expired, and what to do. */
  @Test
  void anExpiredTicketIsToldByEachProgram() throws Exception {
    Path cache = expiredTicket();
    try (YarnSubmit.Job job = rollup(Mode.CLIENT, cache, "expired")) {
      requireExpired(cache, job.await());
    }
    requireExpired(
        cache,
        bulkLoader(
            cache,
            "load",
            "--mode=put",
            "--tsd-config=" + data.tsd().configFile(),
            "--input=" + stack.hadoop().uri() + "/history/*.gz"));
    requireExpired(cache, seriesReport(cache, stack.hadoop().uri() + "/exports/series", "series"));
  }

  private static void requireExpired(Path cache, Program.Outcome outcome) {
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(2);
    assertThat(outcome.output())
        .contains(
            "has a Kerberos ticket in " + cache + " that has expired or is of no use, run kinit");
  }

  /** A client that is not told of the encryption. */
  @Test
  void anotherProtectionOfHBaseIsTold() throws Exception {
    Program.Outcome outcome =
        bulkLoader(
            ticket(),
            "load",
            "--mode=put",
            "--hbase-property=" + ClusterStack.RPC_PROTECTION + "=authentication",
            "--tsd-config=" + data.tsd().configFile(),
            "--input=" + stack.hadoop().uri() + "/history/*.gz");
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(2);
    assertThat(outcome.output()).contains(ClusterStack.RPC_PROTECTION);
  }

  /** tsuid-ratelimiter writes with the TSD's own client, which has logged in by a keytab. */
  @Test
  void tsuidRateLimiterWritesMetaData() throws Exception {
    stack.tsd("limited");
    Map<String, String> conf = new TreeMap<>();
    for (String table : List.of("data", "uid", "tree", "meta")) {
      conf.put("tsd.storage.hbase." + table + "_table", "limited-" + table);
    }
    conf.put("tsd.core.meta.enable_tsuid_tracking", "true");
    conf.put("tsd.core.meta.cache.enable", "true");
    conf.put("tsd.core.meta.cache.plugin", "io.tsdbsuite.meta.TsuidRateLimiter");
    TsdServer tsd =
        stack.tsd(
            stack.directory("limiter"),
            "limiter",
            conf,
            List.of(Path.of(System.getProperty("meta.jar"))));
    List<DataPoint> points = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      points.add(new DataPoint("limited.m", Points.FROM, 1L, Map.of("host", "h" + i)));
    }
    tsd.client().put(points);
    Await.until("the counters of five series", LONG, () -> counters("limited-meta").size() == 5);
    assertThat(tsd.client().stats()).containsEntry("tsd.meta.cache.failures plugin=metaCache", "0");
  }

  /** Rows with a counter. */
  private static Set<String> counters(String table) throws IOException {
    return stack.hbase().master().cells(table).stream()
        .filter(cell -> "ts_ctr".equals(new String(cell.qualifier(), StandardCharsets.US_ASCII)))
        .map(RawCell::toString)
        .collect(Collectors.toSet());
  }
}
