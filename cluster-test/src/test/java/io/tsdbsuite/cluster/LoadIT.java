package io.tsdbsuite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** bulk-loader and series-report with HDFS, while regions move, split and lose their server. */
@Tag("slow")
class LoadIT {
  private static final byte[] SPLIT = HexFormat.of().parseHex("000001691db140");

  private static ClusterStack stack;
  private static FileSystem hdfs;
  private static LoadData data;

  @BeforeAll
  static void write() throws IOException {
    stack = ClusterStack.open(WorkDirs.fresh("LoadIT"), 2);
    hdfs = stack.hadoop().fileSystem();
    data = new LoadData(stack, hdfs);
  }

  @AfterAll
  static void stop() throws IOException {
    if (stack != null) {
      hdfs.close();
      stack.close();
    }
  }

  private static void requireAll(TsdServer tsd) {
    assertThat(Values.of(tsd)).isEqualTo(data.expected());
  }

  /** Moves all regions, splits one and kills the server of others. */
  private static void disturb(String table) throws IOException {
    HBaseServer hbase = stack.hbase().master();
    Regions.moveAll(stack, table);
    hbase.split(table, SPLIT);
    stack.hbase().regionServer(1).kill();
  }

  private static void repair() {
    if (!stack.hbase().regionServer(1).isAlive()) {
      stack.hbase().regionServer(1).start();
    }
  }

  @ParameterizedTest
  @EnumSource
  void sparkLoad(Mode mode) throws Exception {
    String tables = "spark-" + mode.option();
    TsdServer tsd = stack.tsd(tables);
    YarnSubmit submit = stack.submit(mode, stack.directory(tables));
    Path conf = tsd.configFile();
    if (mode == Mode.CLUSTER) {
      submit.with("--files", conf.toString());
    }
    List<String> arguments =
        List.of(
            "spark-load",
            "--tsd-config=" + (mode == Mode.CLIENT ? conf : conf.getFileName()),
            "--hfile-dir=" + stack.hadoop().uri() + "/load/" + tables,
            "--report=" + stack.hadoop().uri() + "/load/" + tables + ".json",
            "--input",
            data.input());
    try (YarnSubmit.Job job = submit.start(System.getProperty("loader.jar"), arguments)) {
      job.node(YarnSubmit.EXECUTOR);
      disturb(tables + "-data");
      Program.Outcome outcome = job.await();
      assertThat(outcome.exitCode()).as(outcome.output()).isZero();
      assertThat(outcome.output()).contains("books            close");
    } finally {
      repair();
    }
    requireAll(tsd);
  }

  @ParameterizedTest
  @ValueSource(strings = {"put", "hfile"})
  void load(String mode) throws Exception {
    String tables = "load-" + mode;
    TsdServer tsd = stack.tsd(tables);
    Path dir = stack.directory(tables);
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("load", "--mode=" + mode, "--work-dir=" + dir.resolve("work")));
    arguments.add(
        mode.equals("put")
            ? "--max-rows-per-second=20"
            : "--hfile-dir=" + stack.hadoop().uri() + "/load/" + tables);
    try (Program load = loader(dir, tsd, arguments)) {
      disturb(tables + "-data");
      Program.Outcome outcome = load.await();
      assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    } finally {
      repair();
    }
    requireAll(tsd);
    Program.Outcome verified =
        loader(dir, tsd, List.of("verify", "--work-dir=" + dir.resolve("verify"))).await();
    assertThat(verified.exitCode()).as(verified.output()).isZero();
  }

  private static Program loader(Path dir, TsdServer tsd, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of("..", "bulk-loader", "bin", "bulk-loader").toAbsolutePath().toString());
    command.addAll(arguments);
    command.addAll(List.of("--progress=plain", "--tsd-config=" + tsd.configFile()));
    command.addAll(List.of("--input", data.input()));
    return Program.start(
        dir,
        Map.of(
            "BULK_LOADER_JAR", System.getProperty("loader.jar"),
            "HADOOP_CONF_DIR", stack.hadoop().confDir().toString(),
            "JAVA_OPTS", "-Xmx512m -XX:TieredStopAtLevel=1"),
        command);
  }

  /** Series of a snapshot below the root of the running HBase. */
  @Test
  void seriesReport() throws Exception {
    String tables = "series";
    TsdServer tsd = stack.tsd(tables);
    Path dir = stack.directory(tables);
    Program.Outcome loaded =
        loader(dir, tsd, List.of("load", "--mode=put", "--meta", "--work-dir=" + dir + "/work"))
            .await();
    assertThat(loaded.exitCode()).as(loaded.output()).isZero();
    HBaseServer hbase = stack.hbase().master();
    hbase.snapshot(tables + "-meta", "series-meta-1");
    hbase.snapshot(tables + "-uid", "series-uid-1");
    Program.Outcome report =
        Program.start(
                dir,
                Map.of(
                    "SERIES_REPORT_JAR",
                    System.getProperty("report.jar"),
                    "HBASE_CLASSPATH",
                    stack.hadoop().confDir() + ":" + stack.hadoop().clientClassPath()),
                List.of(
                    Path.of("..", "series-report", "bin", "series-report")
                        .toAbsolutePath()
                        .toString(),
                    "idle",
                    "--days=1",
                    "--root-dir=" + hbase.rootDir(),
                    "--snapshot=series-meta-1",
                    "--uid-snapshot=series-uid-1"))
            .await();
    assertThat(report.exitCode()).as(report.output()).isZero();
    assertThat(report.output()).contains("12 series", "cluster.a{host=h0}", "cluster.c{host=h3}");
  }
}
