package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.quickstart.data.FleetData;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.data.SeriesUids;
import io.tsdbsuite.quickstart.ingest.KafkaIngest;
import io.tsdbsuite.quickstart.ingest.RollupQuery;
import io.tsdbsuite.quickstart.ingest.Topics;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.FurtherResult;
import io.tsdbsuite.quickstart.query.QueryMeasurement;
import io.tsdbsuite.quickstart.query.ResultsTable;
import io.tsdbsuite.quickstart.report.ReportPage;
import io.tsdbsuite.quickstart.stream.LatePoint;
import io.tsdbsuite.quickstart.stream.PointFeed;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The whole flow on one machine. bulk-loader and a TSD write a year of points. The tables'
 * snapshots are exported to an S3 server. The rollup job reads them and writes rollups to Kafka,
 * and the plugin stores these in the TSD's rollup tables. The points of the last days come through
 * Kafka: the TSD stores them, and stream-rollup rolls them up. The same queries over raw data and
 * through rollup-query are compared and timed, and the stored rollups are verified.
 */
final class QuickstartRun {
  private static final Path MODULES = Path.of("..").toAbsolutePath().normalize();
  private static final String STACK = "stack";
  private static final String LOADER = "bulk-loader";
  private static final String STREAM = "stream-rollup";
  private static final String TSD = "tsd";
  private static final List<String> NIGHTLY_INTERVALS = List.of("1h", "6h", "1d");

  /** How far back the points of Kafka reach at least. */
  private static final Duration STREAMED = Duration.ofDays(3);

  /** The flags of HBase's JVM: its heap, and no large buffers that threads keep for files. */
  private static final String[] HBASE_FLAGS = {"-Xmx488m", "-Djdk.nio.maxCachedBufferSize=262144"};

  /**
   * A block cache that holds the queried data of 30 days in both forms, but not the year, and fewer
   * buffers for answers than HBase has for hundreds of clients.
   */
  private static final Map<String, String> HBASE =
      Map.of("hfile.block.cache.size", "0.27", "hbase.server.allocator.max.buffer.count", "128");

  private static final Duration REQUEUE_DELAY = Duration.ofSeconds(2);
  private static final long FLEET_SECONDS = 2 * 86400;

  private final Path directory;
  private final Console console;
  private final QuickstartCommand options;
  private final Clock clock;
  private final PeakMemory memory = new PeakMemory();

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
    List<Path> plugins = plugins(MODULES);
    Path stream =
        KafkaIngest.jar(MODULES.resolve("stream-rollup/target"), "stream-rollup-*-flink.jar");
    clean();
    RollupSettings settings = new RollupSettings(directory.resolve("rollup_config.json"));
    Timeline window = Timeline.at(clock.instant(), STREAMED, options.days);
    RequestRate rate = new RequestRate(options.series);
    console.step("starting HBase 2.6, Kafka, an S3 server and a TSD 2.4.1 on loopback");
    try (Stack stack =
        Stack.in(directory.resolve(STACK))
            .hbase(HBASE)
            .hbaseFlags(HBASE_FLAGS)
            .kafka()
            .s3()
            .optimized()
            .start()) {
      Topics.create(stack.kafka(), PointFeed.partitions(rate));
      TsdServer tsd = startTsd(stack, settings, plugins);
      return run(
          new Environment(stack, tsd, settings.config(), rate, window, console, clock), stream);
    } finally {
      console.step("stopped");
    }
  }

  private boolean run(Environment run, Path streamJar) throws IOException, InterruptedException {
    Timeline window = run.window();
    StorageSchema schema = StorageSchema.from(TsdConfig.load(run.tsdConfig()));
    FleetData fleet =
        new FleetData(
            Math.max(window.from(), window.streamFrom() - FLEET_SECONDS), window.streamFrom());
    DataSetup filling = new DataSetup(run);
    filling.write(fleet);
    Path history = directory.resolve(LOADER).resolve("history");
    BulkLoaderRun loader = new BulkLoaderRun(run, history, directory.resolve(LOADER));
    Optional<SeriesUids> written = filling.write(schema, loader, history);
    if (written.isEmpty()) {
      return false;
    }
    SeriesUids uids = written.get();
    memory.look();
    RollupJobRun job = new RollupJobRun(run);
    try (StreamRun stream = new StreamRun(run, streamJar, directory.resolve(STREAM))) {
      stream.feed();
      // Meanwhile the TSD stores the points, and stream-rollup rolls them up.
      loader.awaitSnapshot();
      job.export();
      stream.catchUp();
      LatePoint late =
          new LatePoint(
              run.client(), new RollupQuery(run.tsd()).client(), run.rate(), window.late());
      stream.send(late);
      if (!nightly(run, job, fleet)) {
        return false;
      }
      QueryBenchmark bench = new QueryBenchmark(run, schema);
      bench.prepare(uids, directory.resolve(STACK).resolve("cells"));
      List<QueryMeasurement> measurements = bench.ask();
      boolean repaired = stream.awaitRepair(late);
      List<FurtherResult> further = bench.further(uids.metric());
      BenchmarkResults results = bench.results(uids.metric(), measurements, further);
      console.lines(System.lineSeparator() + new ResultsTable(results).text());
      new ReportPage(results, run.rate(), window.from(), clock.instant()).write(report());
      console.step("the same with plots: %s", report());
      boolean equal =
          stream.verify(job) && verifyYear(run, job) && repaired && results.differences() == 0;
      memory.look();
      memory.text().ifPresent(text -> console.step("peak memory of all processes: %s", text));
      if (options.keep) {
        console.step(text(equal));
        new RunningServers(run, report()).keep(System.in);
      }
      equal &= stream.stop();
      console.step(text(equal));
      return equal;
    }
  }

  /** Compares all rollups of rollup-job with the points, in the snapshots of {@link StreamRun}. */
  private static boolean verifyYear(Environment run, RollupJobRun job) {
    Map<String, String> tables = new LinkedHashMap<>();
    for (String interval : NIGHTLY_INTERVALS) {
      tables.put(
          interval, Objects.requireNonNull(run.rollups().interval(interval), interval).table());
    }
    Timeline window = run.window();
    return job.verify(RequestRate.METRIC, window.from(), window.streamFrom(), tables)
        == ExitCode.DONE;
  }

  private static String text(boolean equal) {
    return equal ? "no result differs" : "RESULTS DIFFER, see above";
  }

  /**
   * Rolls up the whole days from the snapshots, compares the rollups, and writes into the coverage
   * that they are stored; false if they differ.
   */
  private boolean nightly(Environment run, RollupJobRun job, FleetData fleet) throws IOException {
    Timeline window = run.window();
    Path report = directory.resolve("rollup-job.json");
    // The metric of single cells gets its points after the snapshot: no coverage may claim it.
    List<String> metrics = new ArrayList<>(FleetData.METRICS);
    metrics.add(RequestRate.METRIC);
    ExitCode code =
        job.roll(
            window.from(), window.streamFrom(), NIGHTLY_INTERVALS, metrics, Topics.ROLLUPS, report);
    memory.look();
    // Nothing else needs it.
    run.stack().s3().stop();
    if (code != ExitCode.DONE) {
      console.step("the rollup job failed; its log is %s", directory.resolve("quickstart.log"));
      return false;
    }
    if (!new NightlyCheck(run, fleet).compare(NIGHTLY_INTERVALS)) {
      console.step(text(false));
      return false;
    }
    KafkaIngest ingest = new KafkaIngest(run.client(), run.stack().kafka().topics());
    ingest.awaitRollups();
    console.step(
        "the plugin in the TSD has stored all rollups, %,d values", ingest.storedRollupValues());
    console.step("rollup-job coverage add looks for them, and writes what the run proves");
    return job.cover(report) == ExitCode.DONE;
  }

  private Path report() {
    return directory.resolve("report.html");
  }

  /** The jars of the TSD's plugins, in the modules' build directories. */
  static List<Path> plugins(Path modules) {
    return List.of(
        KafkaIngest.jar(modules.resolve("kafka-ingest/target"), "kafka-ingest-*-tsd.jar"),
        KafkaIngest.jar(modules.resolve("rollup-query/target"), "rollup-query-*-tsd.jar"));
  }

  /** Creates all tables, and starts the TSD. */
  static TsdServer startTsd(Stack stack, RollupSettings settings, List<Path> plugins)
      throws IOException {
    Map<String, String> conf = tsdConfig(settings.file(), stack.kafka().bootstrapServers());
    stack.create(OpenTsdbTables.of(conf).coverage(RollupQuery.COVERAGE));
    return stack.startTsd(TSD, conf, plugins);
  }

  /** The TSD's opentsdb.conf. */
  static Map<String, String> tsdConfig(Path rollupConfig, String kafka) {
    Map<String, String> conf = KafkaIngest.configuration(kafka, REQUEUE_DELAY);
    conf.put("tsd.core.enable_ui", "false");
    conf.put("tsd.rollups.enable", "true");
    conf.put("tsd.rollups.config", rollupConfig.toString());
    conf.merge("tsd.http.rpc.plugins", RollupQuery.CLASS, (former, added) -> former + "," + added);
    return conf;
  }

  private void clean() throws IOException {
    for (String former : List.of(STACK, LOADER, STREAM)) {
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
}
