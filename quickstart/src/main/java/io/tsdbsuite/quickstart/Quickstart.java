package io.tsdbsuite.quickstart;

import io.tsdbsuite.rollup.cli.RollupMain;
import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The whole flow on one machine: a TSD writes two days of points, both tables are snapshotted and
 * exported to an S3 server, the rollup job reads the HFiles there and sends hourly rollups to
 * Kafka, and every one of them is compared with what the TSD answers from raw data.
 */
public final class Quickstart {
  private static final int DAYS = 2;
  private static final String BUCKET = "backup";
  private static final String TOPIC = "rollups";
  private static final int TOPIC_PARTITIONS = 4;
  private static final double GIBIBYTE = 1 << 30;

  private final Path directory;
  private final Console console;
  private final SampleData data;

  private Quickstart(Path directory, Console console, SampleData data) {
    this.directory = directory;
    this.console = console;
    this.data = data;
  }

  /** Runs it; exits with 0 when there is no difference, 1 when there is, 2 on wrong usage. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      System.err.println("quickstart takes no options, found: " + Arrays.toString(args));
      System.exit(ExitCode.USAGE.code());
    }
    Path directory = Path.of("target", "quickstart").toAbsolutePath();
    LocalDate today = LocalDate.ofInstant(Clock.systemUTC().instant(), ZoneOffset.UTC);
    SampleData data =
        new SampleData(
            today.minusDays(DAYS).atStartOfDay(ZoneOffset.UTC).toEpochSecond(),
            today.atStartOfDay(ZoneOffset.UTC).toEpochSecond());
    Console console =
        new Console(new PrintStream(System.out, true, StandardCharsets.UTF_8), System::nanoTime);
    System.exit(new Quickstart(directory, console, data).run() ? 0 : 1);
  }

  private boolean run() throws Exception {
    clean();
    Path rollups = rollupConfig();
    console.step("starting HBase 2.6, a TSD 2.4.1, a Kafka broker and an S3 server on loopback");
    try (Stack stack =
        Stack.in(directory.resolve("stack"))
            .hbase()
            .tsd(Map.of("tsd.rollups.enable", "true", "tsd.rollups.config", rollups.toString()))
            .kafka()
            .s3()
            .start()) {
      write(stack.tsd().client());
      export(stack);
      stack.kafka().createTopic(TOPIC, TOPIC_PARTITIONS);
      if (roll(stack) != ExitCode.DONE) {
        console.step("the rollup job failed; its log is %s", directory.resolve("quickstart.log"));
        return false;
      }
      boolean equal = compare(stack);
      PeakMemory.ofAll()
          .ifPresent(
              bytes ->
                  console.step("peak memory of all processes, summed: %.1f GiB", bytes / GIBIBYTE));
      return equal;
    } finally {
      console.step("stopped");
    }
  }

  private void clean() throws IOException {
    Path stack = directory.resolve("stack");
    if (Files.exists(stack)) {
      try (Stream<Path> files = Files.walk(stack)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    Files.createDirectories(directory);
  }

  private Path rollupConfig() throws IOException {
    Path file = directory.resolve("rollup_config.json");
    try (InputStream in = Quickstart.class.getResourceAsStream("/rollup_config.json")) {
      Files.write(file, in.readAllBytes());
    }
    return file;
  }

  private void write(TsdClient tsd) {
    console.step(
        "the TSD writes %,d points: %d days of %d series, one a minute",
        data.points(), DAYS, SampleData.series());
    // One thread for each metric keeps the TSD busy while the next request is made.
    SampleData.METRICS.parallelStream()
        .forEach(
            metric -> {
              for (long hour = data.from(); hour < data.to(); hour += 3600) {
                tsd.put(data.hour(metric, hour), 3600);
              }
            });
  }

  private void export(Stack stack) throws IOException {
    HBaseServer hbase = stack.hbase();
    S3Server s3 = stack.s3();
    s3.createBucket(BUCKET);
    String target = "s3a://" + BUCKET + "/hbase";
    console.step("snapshots of tsdb and tsdb-uid, exported to %s with ExportSnapshot", target);
    hbase.snapshot("tsdb", "tsdb-snapshot");
    hbase.snapshot("tsdb-uid", "tsdb-uid-snapshot");
    for (String snapshot : List.of("tsdb-snapshot", "tsdb-uid-snapshot")) {
      hbase.exportSnapshot(snapshot, target, s3.s3aProperties());
    }
  }

  private ExitCode roll(Stack stack) {
    Map<String, String> spark = new TreeMap<>();
    spark.put("spark.master", "local[2]");
    spark.put("spark.ui.enabled", "false");
    spark.put("spark.driver.host", "127.0.0.1");
    spark.put("spark.driver.bindAddress", "127.0.0.1");
    // Credentials that can only read: the job needs no more.
    stack
        .s3()
        .readOnlyView()
        .s3aProperties()
        .forEach((key, value) -> spark.put("spark.hadoop." + key, value));
    spark.forEach(System::setProperty);
    List<String> args =
        List.of(
            "--snapshot-root=s3a://" + BUCKET + "/hbase",
            "--data-snapshot=tsdb-snapshot",
            "--uid-snapshot=tsdb-uid-snapshot",
            "--tsd-config=" + stack.tsd().configFile(),
            "--from=" + Instant.ofEpochSecond(data.from()),
            "--to=" + Instant.ofEpochSecond(data.to()),
            "--kafka-bootstrap=" + stack.kafka().bootstrapServers(),
            "--topic=" + TOPIC,
            "--report=" + directory.resolve("report.json"));
    console.step("rollup-job %s", String.join(" ", args));
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    return new RollupMain(out, err).run(args.toArray(String[]::new));
  }

  private boolean compare(Stack stack) {
    console.step("reading topic %s, and asking the TSD for the same hours from raw data", TOPIC);
    RollupMessages messages = new RollupMessages();
    stack.kafka().readAll(TOPIC).forEach(message -> messages.add(message.value()));
    TsdOracle oracle = new TsdOracle(stack.tsd().client());
    SortedMap<RollupKey, RollupValues> expected = new TreeMap<>();
    for (String metric : SampleData.METRICS) {
      expected.putAll(oracle.rollups(metric, data.from(), data.to(), "1h"));
    }
    Comparison comparison = new Comparison(expected, messages.rollups());
    console.lines(System.lineSeparator() + comparison.table() + System.lineSeparator());
    long wanted = SampleData.series() * (data.to() - data.from()) / 3600;
    if (expected.size() != wanted) {
      console.step(
          "the TSD answers %,d rollups where %,d were written: it is no judge",
          expected.size(), wanted);
      return false;
    }
    return comparison.differences() == 0;
  }
}
