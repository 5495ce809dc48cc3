package io.tsdbsuite.bench.rollup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bench.measure.CpuClock;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.cli.RollupMain;
import io.tsdbsuite.testkit.KafkaServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;

/** Runs the whole job in this JVM over a snapshot in a directory, to Kafka or into HFiles. */
final class WholeJob {
  static final String KAFKA = "kafka";
  static final String HFILE = "hfile";

  /** To Kafka with the hours of a series in one message. */
  static final String KAFKA_24 = "kafka, 24 rollups a message";

  private static final byte[] NAME = "name".getBytes(StandardCharsets.ISO_8859_1);
  private static final String UIDS = "uids";
  private static final String TARGET = "target";
  private static final String TOPIC = "rollups";
  private static final int PARTITIONS = 4;
  private static final String ROLLUPS =
      "{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},\"intervals\":["
          + "{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb-agg\",\"interval\":\"1m\","
          + "\"rowSpan\":\"1h\",\"defaultInterval\":true},"
          + "{\"table\":\"tsdb-rollup-1h\",\"preAggregationTable\":\"tsdb-rollup-agg-1h\","
          + "\"interval\":\"1h\",\"rowSpan\":\"1d\"}]}";

  private final Path dir;
  private final Path tsd;
  private final KafkaServer kafka;
  private int runs;

  private WholeJob(Path dir, Path tsd, KafkaServer kafka) {
    this.dir = dir;
    this.tsd = tsd;
    this.kafka = kafka;
  }

  /**
   * Starts Kafka, and writes the snapshots beside that of the data.
   *
   * @param master Spark's
   * @param uids UIDs of each kind, from 1 on
   */
  static WholeJob start(Path dir, String master, int uids) throws IOException {
    Path rollups = Files.writeString(dir.resolve("rollup_config.json"), ROLLUPS);
    Path tsd =
        Files.writeString(dir.resolve("opentsdb.conf"), "tsd.rollups.config = " + rollups + "\n");
    System.setProperty("spark.master", master);
    System.setProperty("spark.ui.enabled", "false");
    System.setProperty("spark.driver.host", "127.0.0.1");
    System.setProperty("spark.driver.bindAddress", "127.0.0.1");
    KafkaServer kafka = KafkaServer.start(dir.resolve("kafka"), Map.of());
    kafka.createTopic(TOPIC, PARTITIONS);
    WholeJob job = new WholeJob(dir, tsd, kafka);
    TestTable.write(
        TestTable.conf(job.root()),
        job.root(),
        "tsdb-uid",
        "name",
        UIDS,
        writer -> names(writer, uids));
    TestTable.write(
        TestTable.conf(job.root()),
        job.root(),
        "tsdb-rollup-1h",
        TestTable.FAMILY,
        TARGET,
        writer -> {});
    return job;
  }

  /** Root directory of the snapshots, for that of the data. */
  Path root() {
    return dir.resolve("root");
  }

  private static void names(StoreFileWriter writer, int count) throws IOException {
    for (int number = 1; number <= count; number++) {
      byte[] uid = new byte[TableRows.SCHEMA.metricWidth()];
      Uids.write(number, uid, 0, uid.length);
      for (String kind : List.of("metrics", "tagk", "tagv")) {
        writer.append(
            new KeyValue(
                uid,
                NAME,
                kind.getBytes(StandardCharsets.ISO_8859_1),
                1,
                String.format("a.name.of.%s.of.30.bytes.%06d", kind, number)
                    .getBytes(StandardCharsets.ISO_8859_1)));
      }
    }
  }

  /**
   * Runs the job.
   *
   * @param sink {@link #KAFKA}, {@link #KAFKA_24} or {@link #HFILE}
   * @param seconds of the window, from {@link TableRows#START} on
   */
  Result run(String sink, long seconds) throws IOException {
    Path report = dir.resolve("report-" + runs++ + ".json");
    List<String> args = new ArrayList<>(sink(sink));
    args.add("--snapshot-root=" + TestTable.uri(root()));
    args.add("--data-snapshot=" + TestTable.SNAPSHOT);
    args.add("--tsd-config=" + tsd);
    args.add("--from=" + TableRows.START);
    args.add("--to=" + (TableRows.START + seconds));
    args.add("--report=" + report);
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said, true);
    CpuClock cpu = CpuClock.of(ProcessHandle.current().pid());
    ExitCode exit = new RollupMain(out, out).run(args.toArray(String[]::new));
    double used = cpu.seconds();
    if (exit != ExitCode.DONE) {
      throw new IllegalStateException("a run to " + sink + " must succeed, said " + said);
    }
    return new Result(new ObjectMapper().readTree(Files.readString(report)), used);
  }

  private List<String> sink(String sink) {
    if (sink.equals(HFILE)) {
      return List.of(
          "--sink=hfile",
          "--hfile-dir=" + dir.resolve("hfiles").toUri(),
          "--target-snapshot=" + TARGET);
    }
    return List.of(
        "--uid-snapshot=" + UIDS,
        "--kafka-bootstrap=" + kafka.bootstrapServers(),
        "--topic=" + TOPIC,
        "--rollups-per-message=" + (sink.equals(KAFKA_24) ? 24 : 1));
  }

  /** Stops Kafka. */
  void stop() {
    kafka.stop();
  }

  /** A run: its report, and the CPU of this JVM in seconds. */
  record Result(JsonNode report, double cpu) {
    /** Prints the figures of the run. */
    void print(String sink) {
      print(sink + ".points", report.at("/points/aggregated").doubleValue());
      print(sink + ".rollups", report.at("/rollups").doubleValue());
      print(sink + ".plan", report.at("/secondsByPhase").path("plan").doubleValue());
      print(sink + ".wall", report.at("/secondsByPhase").path("roll up").doubleValue());
      print(sink + ".cpu", cpu);
    }

    private static void print(String name, double value) {
      System.out.println(KernelRun.line(name, value));
    }
  }

  /** Seconds of a number of hours. */
  static long seconds(int hours) {
    return (long) hours * RowKey.ROW_SPAN_SECONDS;
  }
}
