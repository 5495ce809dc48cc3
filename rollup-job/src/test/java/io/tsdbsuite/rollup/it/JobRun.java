package io.tsdbsuite.rollup.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.hbase.read.RowReaders;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.cli.RollupMain;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.stream.Stream;

/** A run of the job's command line on Spark in this JVM, and what came of it. */
final class JobRun {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path directory;
  private final List<String> args = new ArrayList<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Map<String, String> spark = new LinkedHashMap<>();
  private Map<String, String> hadoop = Map.of();
  private String master = "local[2]";
  private Clock clock = Clock.systemUTC();
  private ExitCode exitCode;

  /**
   * @param directory for report and output; it must exist
   */
  JobRun(Path directory) {
    this.directory = directory;
  }

  JobRun with(String... more) {
    args.addAll(List.of(more));
    return this;
  }

  JobRun hadoop(Map<String, String> properties) {
    hadoop = properties;
    return this;
  }

  /** Further settings of Spark; they win over those of every run. */
  JobRun spark(Map<String, String> properties) {
    spark.putAll(properties);
    return this;
  }

  /** Chooses how HFiles are read: {@code auto} or {@code merge}. */
  JobRun reader(String choice) {
    hadoop = new HashMap<>(hadoop);
    hadoop.put(RowReaders.CHOICE, choice);
    return this;
  }

  /** The present, unless it is the machine's. */
  JobRun now(Instant now) {
    clock = Clock.fixed(now, ZoneOffset.UTC);
    return this;
  }

  JobRun master(String url) {
    master = url;
    return this;
  }

  Path output() {
    return directory.resolve("output");
  }

  /** For a directory of each run of {@code --sink hfile}. */
  Path hfiles() {
    return directory.resolve("hfiles");
  }

  JobRun json() {
    return with("--sink=json", "--output=" + output());
  }

  /** The command line. */
  List<String> arguments() {
    List<String> all = new ArrayList<>(args);
    boolean hasReport = !args.contains("coverage") && !args.contains("tiers");
    if (hasReport && args.stream().noneMatch(arg -> arg.startsWith("--report="))) {
      all.add("--report=" + report());
    }
    return all;
  }

  JobRun run() {
    Properties before = (Properties) System.getProperties().clone();
    try {
      System.setProperty("spark.master", master);
      System.setProperty("spark.ui.enabled", "false");
      System.setProperty("spark.driver.host", "127.0.0.1");
      System.setProperty("spark.driver.bindAddress", "127.0.0.1");
      spark.forEach(System::setProperty);
      hadoop.forEach((key, value) -> System.setProperty("spark.hadoop." + key, value));
      exitCode =
          new RollupMain(new PrintWriter(out, true), new PrintWriter(err, true), clock)
              .run(arguments().toArray(String[]::new));
      return this;
    } finally {
      System.setProperties(before);
    }
  }

  ExitCode exitCode() {
    return exitCode;
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }

  /** Everything that a failed assertion should show. */
  String everything() {
    return out + System.lineSeparator() + err;
  }

  Path report() {
    return directory.resolve("report.json");
  }

  JsonNode reportJson() throws IOException {
    return MAPPER.readTree(Files.readString(report(), StandardCharsets.UTF_8));
  }

  boolean hasReport() {
    return Files.exists(report());
  }

  /** The JSON lines. */
  List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(output())) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith("part-")).toList()) {
        lines.addAll(Files.readAllLines(file, StandardCharsets.UTF_8));
      }
    }
    return lines;
  }

  /** What is in the JSON lines of a run with one interval. */
  SortedMap<RollupKey, RollupValues> rollups() throws IOException {
    return rollups("");
  }

  /** What is in the JSON lines of an interval. */
  SortedMap<RollupKey, RollupValues> rollups(String interval) throws IOException {
    RollupMessages messages = new RollupMessages();
    lines().stream()
        .filter(line -> line.contains("\"interval\":\"" + interval))
        .forEach(line -> messages.add(line.getBytes(StandardCharsets.UTF_8)));
    if (!messages.repeated().isEmpty()) {
      throw new AssertionError("emitted more than once: " + messages.repeated());
    }
    return messages.rollups();
  }
}
