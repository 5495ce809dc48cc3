package io.tsdbsuite.rollup.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An unforeseen error ends with exit code 4 and a report, never with the JVM's own 1. */
class DefectTest {
  private static final String ROLLUP_CONFIG =
      """
      {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4},"intervals":[
        {"table":"tsdb","preAggregationTable":"tsdb-preagg",
          "interval":"1m","rowSpan":"1h","defaultInterval":true},
        {"table":"tsdb-rollup-1h","preAggregationTable":"tsdb-rollup-agg-1h",
          "interval":"1h","rowSpan":"1d"}]}
      """;

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private ExitCode run(Map<String, String> settings, List<String> args) {
    Properties before = (Properties) System.getProperties().clone();
    try {
      System.setProperty("spark.ui.enabled", "false");
      System.setProperty("spark.driver.host", "127.0.0.1");
      System.setProperty("spark.driver.bindAddress", "127.0.0.1");
      System.setProperty(FaultyFileSystem.SETTING, FaultyFileSystem.class.getName());
      settings.forEach(System::setProperty);
      return new RollupMain(
              new PrintWriter(out, true), new PrintWriter(err, true), Clock.systemUTC())
          .run(args.toArray(String[]::new));
    } finally {
      System.setProperties(before);
    }
  }

  private List<String> configuration() throws IOException {
    Path rollups = Files.writeString(directory.resolve("rollup_config.json"), ROLLUP_CONFIG);
    Path conf =
        Files.writeString(
            directory.resolve("opentsdb.conf"), "tsd.rollups.config = " + rollups + "\n");
    return List.of("--tsd-config=" + conf, "--report=" + directory.resolve("report.json"));
  }

  private List<String> rollUp(String root) throws IOException {
    List<String> args = new ArrayList<>(configuration());
    args.addAll(
        List.of(
            "--snapshot-root=" + root,
            "--data-snapshot=data",
            "--uid-snapshot=uid",
            "--day=2025-11-19"));
    return args;
  }

  private List<String> toJson(String root) throws IOException {
    List<String> args = rollUp(root);
    args.addAll(List.of("--sink=json", "--output=" + directory.resolve("output")));
    return args;
  }

  private void requireReport() throws IOException {
    JsonNode report = new ObjectMapper().readTree(directory.resolve("report.json").toFile());
    assertThat(report.get("exitCode").intValue()).isEqualTo(4);
    assertThat(report.get("outcome").textValue()).isEqualTo("defect");
    assertThat(report.get("state").textValue()).isEqualTo("ended");
    assertThat(report.at("/resume/finished").isMissingNode()).isTrue();
    assertThat(report.get("message").textValue())
        .contains("please report it with the log")
        .doesNotContain("run it again", "bad input");
  }

  @Test
  void anErrorEndsARunWithAReport() throws IOException {
    assertThat(run(Map.of("spark.master", "local[1]"), toJson("faulty://any/hbase")))
        .isEqualTo(ExitCode.DEFECT);
    assertThat(err.toString())
        .contains("a defect of rollup-job", "java.lang.AssertionError: unforeseen error")
        .doesNotContain("run it again", "bad input");
    requireReport();
  }

  @Test
  void aDriverWithoutMemoryIsToldSo() throws IOException {
    assertThat(run(Map.of("spark.master", "local[1]"), toJson("faulty://memory/hbase")))
        .isEqualTo(ExitCode.DEFECT);
    assertThat(err.toString()).contains("MiB did not suffice (Java heap space)", "--driver-memory");
    requireReport();
  }

  @Test
  void anErrorEndsAComparisonWithAReport() throws IOException {
    List<String> args = rollUp("faulty://any/hbase");
    args.add(0, "verify");
    args.add("--against-snapshot=rollups");
    assertThat(run(Map.of("spark.master", "local[1]"), args)).isEqualTo(ExitCode.DEFECT);
    requireReport();
  }

  @Test
  void anErrorEndsALoadWithAReport() throws IOException {
    List<String> args = new ArrayList<>(configuration());
    args.add(0, "load");
    args.add("--hfile-dir=faulty://any/run");
    assertThat(run(Map.of(), args)).isEqualTo(ExitCode.DEFECT);
    requireReport();
  }

  /** The report itself is written by the file system that fails: what is left is the exit code. */
  @Test
  void anErrorOutsideOfTheJobIsNoBadInput() throws IOException {
    List<String> args = toJson("faulty://any/hbase");
    args.removeIf(arg -> arg.startsWith("--report"));
    args.add("--report=faulty://any/report.json");
    assertThat(run(Map.of("spark.master", "local[1]"), args)).isEqualTo(ExitCode.DEFECT);
    assertThat(err.toString()).contains("a defect of rollup-job", "\tat ");
  }

  /** Spark throws a checked exception, which its Java API does not declare. */
  @Test
  void aMasterThatSparkDoesNotKnowIsConfiguration() throws IOException {
    assertThat(run(Map.of("spark.master", "moon://base"), toJson("file:///backup")))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("Spark refuses its settings", "moon://base");
  }
}
