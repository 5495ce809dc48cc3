package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.quickstart.data.FleetData;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.data.RequestWriter;
import io.tsdbsuite.quickstart.query.Asker;
import io.tsdbsuite.quickstart.query.Measurement;
import io.tsdbsuite.quickstart.query.Question;
import io.tsdbsuite.quickstart.query.Stopwatch;
import io.tsdbsuite.rollup.cli.RollupMain;
import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdServer;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * The whole flow on one machine: a month of points in a TSD's tables, snapshots of them in an S3
 * server, rollups of those by the rollup job into Kafka, from there by the plugin into the TSD's
 * rollup table; and the same queries asked of raw data and of rollups, compared and timed.
 */
public final class Quickstart {
  private static final String BUCKET = "backup";
  private static final String TOPIC = "rollups";
  private static final String DEAD_LETTERS = "rollups-dead";
  private static final int TOPIC_PARTITIONS = 4;
  private static final String INTERVAL = "1h";
  private static final long FLEET_SECONDS = 2 * 86400;
  private static final double GIBIBYTE = 1 << 30;
  private static final List<Question> QUESTIONS =
      List.of(
          new Question("1h-sum", "sum", false),
          new Question("1h-avg", "avg", false),
          new Question("1h-max", "max", true),
          new Question("1d-avg", "avg", false));

  private final Path directory;
  private final Console console;
  private final QuickstartCommand options;
  private final Clock clock;

  private Quickstart(Path directory, Console console, QuickstartCommand options, Clock clock) {
    this.directory = directory;
    this.console = console;
    this.options = options;
    this.clock = clock;
  }

  /** Runs it; exits with 0 when there is no difference, 1 when there is, 2 on wrong usage. */
  public static void main(String[] args) throws Exception {
    QuickstartCommand options = new QuickstartCommand();
    CommandLine line = new CommandLine(options);
    List<String> problems = new ArrayList<>();
    try {
      line.parseArgs(args);
      if (line.isUsageHelpRequested()) {
        line.usage(System.out);
        System.exit(ExitCode.DONE.code());
      }
      problems.addAll(options.problems());
    } catch (CommandLine.ParameterException e) {
      problems.add(e.getMessage());
    }
    if (!problems.isEmpty()) {
      problems.forEach(problem -> System.err.println("quickstart: " + problem));
      System.err.println("quickstart: --help lists the options");
      System.exit(ExitCode.USAGE.code());
    }
    Path directory = Path.of("target", "quickstart").toAbsolutePath();
    Console console =
        new Console(new PrintStream(System.out, true, StandardCharsets.UTF_8), System::nanoTime);
    Quickstart quickstart = new Quickstart(directory, console, options, Clock.systemUTC());
    System.exit(quickstart.run() ? 0 : 1);
  }

  private boolean run() throws Exception {
    clean();
    Path rollupConfig = rollupConfig();
    RollupConfig rollups = RollupConfig.load(rollupConfig.toString());
    Window window =
        Window.at(
            clock.instant(),
            Duration.ofSeconds(rollups.interval(INTERVAL).delaySlaSeconds()),
            options.days);
    console.step("starting HBase 2.6, Kafka, an S3 server and a TSD 2.4.1 on loopback");
    try (Stack stack =
        Stack.in(directory.resolve("stack")).hbase().kafka().s3().optimized().start()) {
      stack.kafka().createTopic(TOPIC, TOPIC_PARTITIONS);
      stack.kafka().createTopic(DEAD_LETTERS, 1);
      TsdServer tsd = stack.startTsd("tsd", tsdConfig(rollupConfig));
      StorageSchema schema = StorageSchema.from(TsdConfig.load(tsd.configFile()));
      RequestRate rate = new RequestRate(options.series);
      FleetData fleet = new FleetData(window.rollupTo() - FLEET_SECONDS, window.rollupTo());
      write(stack, new RequestWriter(rate, schema), fleet, window);
      export(stack);
      if (roll(stack, window) != ExitCode.DONE) {
        console.step("the rollup job failed; its log is %s", directory.resolve("quickstart.log"));
        return false;
      }
      boolean equal = compare(stack, fleet, window);
      ingest(stack, rollups);
      equal &= ask(stack, schema, rollups, window);
      PeakMemory.ofAll()
          .ifPresent(
              bytes ->
                  console.step("peak memory of all processes, summed: %.1f GiB", bytes / GIBIBYTE));
      return equal;
    } finally {
      console.step("stopped");
    }
  }

  private static Map<String, String> tsdConfig(Path rollupConfig) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", rollupConfig.toString());
    conf.put("tsd.rollups.split_query.enable", "true");
    return conf;
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

  private void write(Stack stack, RequestWriter requests, FleetData fleet, Window window) {
    TsdClient tsd = stack.tsd("tsd").client();
    console.step(
        "the TSD writes %,d points of %d series, one a minute, as single cells",
        fleet.points(), FleetData.series());
    // One thread for each metric keeps the TSD busy while the next request is made.
    FleetData.METRICS.parallelStream()
        .forEach(
            metric -> {
              for (long hour = fleet.from(); hour < fleet.to(); hour += 3600) {
                tsd.put(fleet.hour(metric, hour), 3600);
              }
            });
    long live = requests.writeLive(tsd, window.liveFrom(), window.now());
    console.step("the TSD writes %,d points of %s until now", live, RequestRate.METRIC);
    long compacted = requests.writeCompacted(stack.hbase(), tsd, window.from(), window.liveFrom());
    console.step(
        "%,d points of %s before that, %d series at 10 s, put into HBase as compacted rows",
        compacted, RequestRate.METRIC, options.series);
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

  private ExitCode roll(Stack stack, Window window) {
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
            "--tsd-config=" + stack.tsd("tsd").configFile(),
            "--from=" + Instant.ofEpochSecond(window.from()),
            "--to=" + Instant.ofEpochSecond(window.rollupTo()),
            "--kafka-bootstrap=" + stack.kafka().bootstrapServers(),
            "--topic=" + TOPIC,
            "--report=" + directory.resolve("report.json"));
    console.step("rollup-job %s", String.join(" ", args));
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    return new RollupMain(out, err).run(args.toArray(String[]::new));
  }

  private boolean compare(Stack stack, FleetData fleet, Window window) {
    console.step("reading topic %s, and asking the TSD for the same hours from raw data", TOPIC);
    RollupMessages messages = new RollupMessages();
    stack.kafka().readAll(TOPIC).forEach(message -> messages.add(message.value()));
    TsdOracle oracle = new TsdOracle(stack.tsd("tsd").client());
    SortedMap<RollupKey, RollupValues> expected = new TreeMap<>();
    for (String metric : FleetData.METRICS) {
      expected.putAll(oracle.rollups(metric, fleet.from(), fleet.to(), INTERVAL));
    }
    expected.putAll(oracle.rollups(RequestRate.METRIC, window.from(), window.rollupTo(), INTERVAL));
    Comparison comparison = new Comparison(expected, messages.rollups());
    console.lines(System.lineSeparator() + comparison.table() + System.lineSeparator());
    long wanted =
        FleetData.series() * (fleet.to() - fleet.from()) / 3600
            + options.series * window.rollupHours();
    if (expected.size() != wanted) {
      console.step(
          "the TSD answers %,d rollups where %,d were written: it is no judge",
          expected.size(), wanted);
      return false;
    }
    return comparison.differences() == 0;
  }

  private void ingest(Stack stack, RollupConfig rollups) throws IOException {
    console.step("ingesting");
    new io.tsdbsuite.quickstart.ingest.PutRollups(stack, TOPIC).await(0);
    console.step("ingested");
    stack.hbase().flush("tsdb");
    stack.hbase().flush(rollups.interval(INTERVAL).table());
  }

  private boolean ask(Stack stack, StorageSchema schema, RollupConfig rollups, Window window)
      throws IOException {
    console.step("asking");
    TsdClient client = stack.tsd("tsd").client();
    Asker asker = new Asker(client, RequestRate.METRIC);
    Stopwatch stopwatch = new Stopwatch(asker, System::nanoTime);
    boolean ok = true;
    for (Question question : QUESTIONS) {
      Measurement m = stopwatch.measure(question, window.from(), window.compareTo());
      console.step(
          "%s equal=%s %s ratio %.1f points %d diff %g rows %d %d raw %s rollup %s",
          question,
          m.equal(),
          m.bySeries().differences().stream().limit(2).toList(),
          m.ratio(),
          m.agreement().points(),
          m.agreement().maxRelativeDifference(),
          m.raw().rows(),
          m.rollup().rows(),
          m.rawTime(),
          m.rollupTime());
      ok &= m.equal();
    }
    byte[] uid =
        java.util.HexFormat.of()
            .parseHex(
                client
                    .query(
                        io.tsdbsuite.testkit.QuerySpec.of(
                            RequestRate.METRIC, window.liveFrom(), window.liveFrom() + 3598))
                    .get(0)
                    .tsuids()
                    .get(0)
                    .substring(0, 6));
    io.tsdbsuite.quickstart.query.Scans scans =
        new io.tsdbsuite.quickstart.query.Scans(stack.hbase().connection(), schema, rollups);
    console.step("raw %s", scans.raw(uid, window.from(), window.compareTo()));
    console.step(
        "sum %s", scans.rollup(uid, INTERVAL, List.of("sum"), window.from(), window.compareTo()));
    console.step(
        "avg %s",
        scans.rollup(uid, INTERVAL, List.of("sum", "count"), window.from(), window.compareTo()));
    io.tsdbsuite.quickstart.query.SplitBoundary split =
        io.tsdbsuite.quickstart.query.SplitBoundary.ask(
            asker, window.now() - 86400, window.compareTo() - 86400, window.liveFrom() + 3600);
    console.step(
        "split %s, %s; none: %s",
        java.time.Instant.ofEpochSecond(split.splitAt()), split.unequal(), split.none());
    return ok;
  }
}
