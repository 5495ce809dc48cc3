package io.tsdbsuite.bench.rollup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bench.BenchRow;
import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.bench.measure.CpuClock;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.hbase.Codecs;
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
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;

/** Runs the whole job on one core of this JVM, to Kafka and into HFiles alternately. */
public final class SinkKernel {
  private static final int DIFFERENT_ROWS = 4096;
  private static final byte[] NAME = "name".getBytes(StandardCharsets.ISO_8859_1);
  private static final String UIDS = "uids";
  private static final String TARGET = "target";
  private static final String ROLLUPS =
      "{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},\"intervals\":["
          + "{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb-agg\",\"interval\":\"1m\","
          + "\"rowSpan\":\"1h\",\"defaultInterval\":true},"
          + "{\"table\":\"tsdb-rollup-1h\",\"preAggregationTable\":\"tsdb-rollup-agg-1h\","
          + "\"interval\":\"1h\",\"rowSpan\":\"1d\"}]}";

  private final Path dir;
  private final Path root;
  private final Path tsd;
  private final long hours;
  private int runs;

  private SinkKernel(Path dir, long hours) throws IOException {
    this.dir = dir;
    this.root = dir.resolve("root");
    this.hours = hours;
    Path rollups = Files.writeString(dir.resolve("rollup_config.json"), ROLLUPS);
    this.tsd =
        Files.writeString(dir.resolve("opentsdb.conf"), "tsd.rollups.config = " + rollups + "\n");
  }

  /** Arguments: directory, metrics, series, hours, rounds. */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    Path dir = Path.of(args[0]).toAbsolutePath();
    int metrics = Integer.parseInt(args[1]);
    int series = Integer.parseInt(args[2]);
    int hours = Integer.parseInt(args[3]);
    int rounds = Integer.parseInt(args[4]);
    SinkKernel kernel = new SinkKernel(dir, hours);
    kernel.write(metrics, series);
    System.setProperty("spark.master", "local[1]");
    System.setProperty("spark.ui.enabled", "false");
    System.setProperty("spark.driver.host", "127.0.0.1");
    System.setProperty("spark.driver.bindAddress", "127.0.0.1");
    KafkaServer kafka = KafkaServer.start(dir.resolve("kafka"), Map.of());
    kafka.createTopic("rollups", 4);
    String[] toKafka = {
      "--uid-snapshot=" + UIDS, "--kafka-bootstrap=" + kafka.bootstrapServers(), "--topic=rollups"
    };
    String[] toFiles = {
      "--sink=hfile", "--hfile-dir=" + dir.resolve("hfiles").toUri(), "--target-snapshot=" + TARGET
    };
    // The first round warms up the compiler.
    for (int round = 0; round <= rounds; round++) {
      kernel.run("kafka", round, toKafka);
      kernel.run("hfile", round, toFiles);
    }
    kafka.stop();
    System.exit(0);
  }

  private void write(int metrics, int series) throws IOException {
    Configuration conf = TestTable.conf(root);
    Random random = new Random(hours);
    List<BenchRow> like = new ArrayList<>();
    for (int i = 0; i < DIFFERENT_ROWS; i++) {
      like.add(RowShape.S3_COMPACTED_60.row(random));
    }
    TestTable.write(
        conf,
        root,
        Compression.Algorithm.NONE,
        DataBlockEncoding.NONE,
        new TableRows(like, metrics, (int) hours, series));
    int uids = Math.max(metrics, series);
    TestTable.write(conf, root, "tsdb-uid", "name", UIDS, writer -> names(writer, uids));
    TestTable.write(conf, root, "tsdb-rollup-1h", TestTable.FAMILY, TARGET, writer -> {});
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

  private void run(String sink, int round, String... more) throws IOException {
    Path report = dir.resolve("report-" + runs++ + ".json");
    List<String> args = new ArrayList<>(List.of(more));
    args.add("--snapshot-root=" + TestTable.uri(root));
    args.add("--data-snapshot=" + TestTable.SNAPSHOT);
    args.add("--tsd-config=" + tsd);
    args.add("--from=" + TableRows.START);
    args.add("--to=" + (TableRows.START + hours * RowKey.ROW_SPAN_SECONDS));
    args.add("--report=" + report);
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said, true);
    CpuClock cpu = CpuClock.of(ProcessHandle.current().pid());
    ExitCode exit = new RollupMain(out, out).run(args.toArray(String[]::new));
    double seconds = cpu.seconds();
    if (exit != ExitCode.DONE) {
      throw new IllegalStateException("a run to " + sink + " must succeed, said " + said);
    }
    JsonNode json = new ObjectMapper().readTree(Files.readString(report));
    // Keeps the figures of the last round.
    if (round > 0) {
      print(sink + ".points", json.at("/points/aggregated").doubleValue());
      print(sink + ".rollups", json.at("/rollups").doubleValue());
      print(sink + ".wall", json.at("/secondsByPhase").path("roll up").doubleValue());
      print(sink + ".cpu", seconds);
    }
  }

  private static void print(String name, double value) {
    System.out.println(KernelRun.line(name, value));
  }
}
