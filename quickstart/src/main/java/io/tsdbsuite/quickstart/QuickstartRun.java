package io.tsdbsuite.quickstart;

import io.tsdbsuite.quickstart.data.FleetData;
import io.tsdbsuite.quickstart.data.Latency;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.QueryMeasurement;
import io.tsdbsuite.quickstart.report.ReportPage;
import io.tsdbsuite.quickstart.report.ResultsTable;
import io.tsdbsuite.quickstart.stream.KafkaIngest;
import io.tsdbsuite.quickstart.stream.LatePoint;
import io.tsdbsuite.testkit.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileUtil;

/**
 * The whole flow on one machine. bulk-loader and a TSD write a year of points. The tables'
 * snapshots are exported to an S3 server. The rollup job reads them and writes rollups to Kafka,
 * and the plugin stores these in the TSD's rollup tables. The points of the last days come through
 * Kafka: the TSD stores them, and stream-rollup rolls them up. The same queries over raw data and
 * through rollup-query are compared and timed, and the stored rollups are verified.
 */
final class QuickstartRun {
  private static final String STACK = "stack";
  private static final String STREAM = "stream-rollup";

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

  private static final long FLEET_SECONDS = 2 * 86400;

  private final Path directory;
  private final Console console;
  private final Quickstart options;
  private final Clock clock;
  private final Path page;
  private final PeakMemory memory = new PeakMemory();

  /**
   * @param directory directory of all files
   * @param console receives the progress
   * @param options the options
   * @param clock the end of the data
   */
  QuickstartRun(Path directory, Console console, Quickstart options, Clock clock) {
    this.directory = directory;
    this.console = console;
    this.options = options;
    this.clock = clock;
    this.page = directory.resolve("report.html");
  }

  /**
   * Runs it.
   *
   * @return whether all results are equal
   */
  boolean run() throws Exception {
    Environment.requireJars();
    clean();
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
      return run(Environment.start(stack, directory, rate, window, console, clock));
    } finally {
      console.step("stopped");
    }
  }

  private boolean run(Environment run) throws IOException, InterruptedException {
    Timeline window = run.window();
    FleetData fleet =
        new FleetData(
            Math.max(window.from(), window.streamFrom() - FLEET_SECONDS), window.streamFrom());
    console.step(
        "the TSD writes %,d points of %d series, one a minute, as single cells",
        fleet.points(), FleetData.series());
    fleet.write(run.client());
    Jobs jobs = new Jobs(run, directory);
    if (!jobs.load()) {
      return false;
    }
    memory.look();
    try (StreamRun stream = new StreamRun(run, directory.resolve(STREAM))) {
      stream.feed();
      // Meanwhile the TSD stores the points, and stream-rollup rolls them up.
      jobs.awaitSnapshot();
      jobs.export();
      stream.catchUp();
      LatePoint late = stream.sendLate();
      if (!nightly(run, jobs, fleet)) {
        return false;
      }
      QueryBenchmark bench = new QueryBenchmark(run);
      bench.prepare(directory.resolve(STACK).resolve("cells"));
      List<QueryMeasurement> measurements = bench.ask();
      boolean repaired = stream.awaitRepair(late);
      BenchmarkResults results = bench.results(measurements);
      console.lines(System.lineSeparator() + new ResultsTable(results).text());
      new ReportPage(results, run.rate(), clock.instant()).write(page);
      console.step("the same with plots: %s", page);
      boolean equal =
          stream.verify(jobs)
              && jobs.verify(window.from(), window.streamFrom(), Jobs.INTERVALS)
              && repaired
              && results.differences() == 0;
      memory.look();
      memory.text().ifPresent(text -> console.step("peak memory of all processes: %s", text));
      if (options.keep) {
        console.step(text(equal));
        new RunningServers(run, page).keep(System.in);
      }
      equal &= stream.stop();
      console.step(text(equal));
      return equal;
    }
  }

  private static String text(boolean equal) {
    return equal ? "no result differs" : "RESULTS DIFFER, see above";
  }

  /**
   * Rolls up the whole days from the snapshots, compares the rollups, and writes into the coverage
   * that they are stored; false if they differ.
   */
  private boolean nightly(Environment run, Jobs jobs, FleetData fleet) {
    Path report = directory.resolve("rollup-job.json");
    // The metric of single cells gets its points after the snapshot: no coverage may claim it.
    List<String> metrics = new ArrayList<>(FleetData.METRICS);
    metrics.add(RequestRate.METRIC);
    metrics.add(Latency.METRIC);
    boolean done = jobs.roll(metrics, report);
    memory.look();
    // Nothing else needs it.
    run.stack().s3().stop();
    if (!done) {
      console.step("the rollup job failed; its log is %s", directory.resolve("quickstart.log"));
      return false;
    }
    if (!new NightlyCheck(run, fleet).compare()) {
      console.step(text(false));
      return false;
    }
    KafkaIngest ingest = run.kafkaIngest();
    ingest.awaitRollups();
    console.step(
        "the plugin in the TSD has stored all rollups, %,d values", ingest.storedRollupValues());
    console.step("rollup-job coverage add looks for them, and writes what the run proves");
    return jobs.cover(report);
  }

  /** Removes the files and the page of a former run. */
  private void clean() throws IOException {
    for (String former : List.of(STACK, Jobs.LOADER, STREAM)) {
      if (!FileUtil.fullyDelete(directory.resolve(former).toFile())) {
        throw new IOException(directory.resolve(former) + " cannot be removed");
      }
    }
    Files.createDirectories(directory);
    Files.deleteIfExists(page);
  }
}
