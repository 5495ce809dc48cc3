package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.quickstart.data.FleetData;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.data.SeriesUids;
import io.tsdbsuite.quickstart.ingest.RollupIngest;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.ResultsTable;
import io.tsdbsuite.quickstart.report.ReportPage;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The whole flow on one machine. bulk-loader and a TSD write a month of points. The tables'
 * snapshots are exported to an S3 server. The rollup job reads them and writes rollups to Kafka,
 * and the plugin stores these in the TSD's rollup table. The same queries over raw data and over
 * rollups are compared and timed.
 */
final class QuickstartRun {
  private static final Path PLUGIN =
      Path.of("..", "kafka-ingest", "target").toAbsolutePath().normalize();
  private static final String STACK = "stack";
  private static final String LOADER = "bulk-loader";
  private static final String TSD = "tsd";
  private static final String TOPIC = "rollups";
  private static final String DEAD_LETTERS = "rollups-dead-letters";
  private static final int TOPIC_PARTITIONS = 4;
  private static final String INTERVAL = "1h";
  private static final long FLEET_SECONDS = 2 * 86400;
  private static final double GIBIBYTE = 1 << 30;

  private final Path directory;
  private final Console console;
  private final QuickstartCommand options;
  private final Clock clock;

  /**
   * @param directory directory of all files
   * @param console receives the progress
   * @param options the options
   * @param clock the end of the data
   */
  QuickstartRun(Path directory, Console console, QuickstartCommand options, Clock clock) {
    this.directory = directory;
    this.console = console;
    this.options = options;
    this.clock = clock;
  }

  /**
   * Runs it.
   *
   * @return whether all results are equal
   */
  boolean run() throws Exception {
    Path plugin = RollupIngest.jar(PLUGIN);
    clean();
    Path rollupConfig = rollupConfig();
    RollupConfig rollups = RollupConfig.load(rollupConfig.toString());
    Timeline window = Timeline.at(clock.instant(), delaySla(rollups), options.days);
    console.step("starting HBase 2.6, Kafka, an S3 server and a TSD 2.4.1 on loopback");
    try (Stack stack =
        Stack.in(directory.resolve(STACK)).hbase().kafka().s3().optimized().start()) {
      stack.kafka().createTopic(TOPIC, TOPIC_PARTITIONS);
      stack.kafka().createTopic(DEAD_LETTERS, 1);
      TsdServer tsd =
          stack.startTsd(
              TSD, tsdConfig(rollupConfig, stack.kafka().bootstrapServers()), List.of(plugin));
      boolean equal = run(stack, tsd, rollups, window);
      if (options.keep) {
        new RunningServers(tsd, stack, window, report()).keep(System.in, console);
      }
      return equal;
    } finally {
      console.step("stopped");
    }
  }

  private boolean run(Stack stack, TsdServer tsd, RollupConfig rollups, Timeline window)
      throws IOException {
    StorageSchema schema = StorageSchema.from(TsdConfig.load(tsd.configFile()));
    RequestRate rate = new RequestRate(options.series);
    FleetData fleet =
        new FleetData(
            Math.max(window.from(), window.rollupTo() - FLEET_SECONDS), window.rollupTo());
    DataSetup filling = new DataSetup(tsd.client(), window, console);
    filling.write(fleet);
    BulkLoaderRun loader = new BulkLoaderRun(tsd.configFile(), console, clock);
    Optional<SeriesUids> written = filling.write(rate, schema, loader, directory.resolve(LOADER));
    if (written.isEmpty()) {
      return false;
    }
    SeriesUids uids = written.get();
    RollupJobRun job = new RollupJobRun(stack, tsd.configFile(), console);
    job.export();
    ExitCode code =
        job.roll(
            window.from(),
            window.rollupTo(),
            delaySla(rollups),
            TOPIC,
            directory.resolve("rollup-job.json"));
    if (code != ExitCode.DONE) {
      console.step("the rollup job failed; its log is %s", directory.resolve("quickstart.log"));
      return false;
    }
    RollupMessages messages = new RollupMessages();
    stack.kafka().readAll(TOPIC).forEach(message -> messages.add(message.value()));
    boolean equal = compare(tsd.client(), fleet, window, messages);
    long stored = new RollupIngest(tsd.client()).await(messages.messages());
    console.step(
        "the plugin in the TSD has stored %,d messages, %,d values, as rollups",
        messages.messages(), stored);
    QueryBenchmark bench =
        new QueryBenchmark(stack.hbase(), tsd.client(), schema, rollups, window, console);
    bench.prepare(rate, uids, directory.resolve(STACK).resolve("cells"));
    BenchmarkResults results = bench.ask(uids.metric(), clock);
    console.lines(System.lineSeparator() + new ResultsTable(results).text());
    new ReportPage(results, rate, window.from(), clock.instant()).write(report());
    console.step("the same with plots: %s", report());
    PeakMemory.ofAll()
        .ifPresent(
            bytes ->
                console.step("peak memory of all processes, summed: %.1f GiB", bytes / GIBIBYTE));
    boolean allEqual = equal && results.differences() == 0;
    console.step(allEqual ? "no result differs" : "RESULTS DIFFER, see above");
    return allEqual;
  }

  private static Duration delaySla(RollupConfig rollups) {
    RollupInterval interval = Objects.requireNonNull(rollups.interval(INTERVAL), INTERVAL);
    return Duration.ofSeconds(interval.delaySlaSeconds());
  }

  private Path report() {
    return directory.resolve("report.html");
  }

  private static Map<String, String> tsdConfig(Path rollupConfig, String kafka) {
    Map<String, String> conf = RollupIngest.configuration(kafka, TOPIC, DEAD_LETTERS);
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", rollupConfig.toString());
    conf.put("tsd.rollups.split_query.enable", "true");
    return conf;
  }

  private void clean() throws IOException {
    for (String former : List.of(STACK, LOADER)) {
      Path path = directory.resolve(former);
      if (Files.exists(path)) {
        try (Stream<Path> files = Files.walk(path)) {
          for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
      }
    }
    Files.createDirectories(directory);
    // Removes the report of a former run.
    Files.deleteIfExists(report());
  }

  private Path rollupConfig() throws IOException {
    Path file = directory.resolve("rollup_config.json");
    try (InputStream in = Quickstart.class.getResourceAsStream("/rollup_config.json")) {
      Files.write(file, in.readAllBytes());
    }
    return file;
  }

  private boolean compare(
      TsdClient tsd, FleetData fleet, Timeline window, RollupMessages messages) {
    console.step("reading topic %s, and querying the same hours of raw data from the TSD", TOPIC);
    TsdOracle oracle = new TsdOracle(tsd);
    SortedMap<RollupKey, RollupValues> expected = new TreeMap<>();
    for (String metric : FleetData.METRICS) {
      expected.putAll(oracle.rollups(metric, fleet.from(), fleet.to(), INTERVAL));
    }
    expected.putAll(oracle.rollups(RequestRate.METRIC, window.from(), window.rollupTo(), INTERVAL));
    RollupComparison comparison = new RollupComparison(expected, messages.rollups());
    console.lines(System.lineSeparator() + comparison.table() + System.lineSeparator());
    long wanted =
        FleetData.series() * (fleet.to() - fleet.from()) / 3600
            + options.series * window.rollupHours();
    if (expected.size() != wanted) {
      console.step(
          "the TSD answers %,d rollups, but %,d were written: its answers cannot be the reference",
          expected.size(), wanted);
      return false;
    }
    return comparison.differences() == 0;
  }
}
