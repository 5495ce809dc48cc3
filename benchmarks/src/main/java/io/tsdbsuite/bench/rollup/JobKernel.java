package io.tsdbsuite.bench.rollup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.bench.measure.CpuClock;
import io.tsdbsuite.bench.measure.Samples;
import io.tsdbsuite.bench.measure.Way;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.cli.RollupMain;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs rollup-job by its command line in this JVM, and the stock job, by turns: to Kafka, or into
 * HFiles. A run begins with the start of Spark and ends with its end.
 */
public final class JobKernel {
  /** Snapshot of the rollup table, for HFiles. */
  static final String TARGET = "target";

  /** Snapshot of the histogram table. */
  static final String HISTOGRAM_TARGET = "target-histogram";

  /** The histogram table of hours. */
  static final String HISTOGRAM_TABLE = "tsdb-histogram-1h";

  /** What a run's option begins with that names further aggregators. */
  static final String AGGREGATORS = "aggregators=";

  /** A run's option: all rollups have sketches. */
  static final String SKETCHES = "sketches";

  /** A run's option: several rollups in a message are arrays. */
  static final String ARRAYS = "arrays";

  private final Path dir;
  private final Settings settings;
  private final List<Long> servers;
  private int runs;

  private JobKernel(Path dir, Settings settings) {
    this.dir = dir.toAbsolutePath();
    this.settings = settings;
    this.servers =
        Arrays.stream(settings.get("servers").split(",", -1)).map(Long::valueOf).toList();
  }

  /**
   * Arguments: a directory and settings: {@code runs} with blanks between them, each {@code
   * sink@snapshot;option;...} with options of the job and {@code aggregators=} further ones, or
   * {@code stock@snapshot}; {@code warmUps}, {@code rounds}, {@code hours}, the locations of the
   * snapshots and the addresses of the servers.
   */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    new JobKernel(Path.of(args[0]), Settings.parse(args)).run();
    System.exit(0);
  }

  /** What a run has stored. */
  private record Found(
      double points, double rollups, double messages, double plan, double rollUp, double bytes) {}

  /**
   * A run.
   *
   * @param servers CPU of each server, seconds
   */
  private record Run(Found found, Cost cost, List<Double> servers) {}

  private void run() throws IOException, InterruptedException {
    List<Way<Run>> ways =
        Stream.of(settings.get("runs").split(" ", -1))
            .map(run -> new Way<>(run, () -> measure(run)))
            .toList();
    for (Samples<Run> way :
        Samples.of(settings.number("warmUps"), settings.number("rounds"), ways)) {
      print(way);
    }
  }

  private Run measure(String run) throws Exception {
    List<CpuClock> clocks = servers.stream().map(CpuClock::of).toList();
    Cost before = Cost.now();
    List<String> words = List.of(run.split("[@;]", -1));
    Found found =
        words.get(0).equals("stock")
            ? stock(words.get(1))
            : suite(words.get(0), words.get(1), words.subList(2, words.size()));
    return new Run(
        found, Cost.now().since(before, 1), clocks.stream().map(CpuClock::seconds).toList());
  }

  private Found stock(String snapshot) throws Exception {
    StockJob.Made made = new StockJob(settings).run(snapshot);
    return new Found(made.points(), made.messages(), made.messages(), 0, 0, 0);
  }

  private Found suite(String sink, String snapshot, List<String> options) throws IOException {
    Path report = dir.resolve("report-" + runs++ + ".json");
    List<String> args = new ArrayList<>(options);
    args.removeIf(
        option ->
            option.startsWith(AGGREGATORS) || option.equals(SKETCHES) || option.equals(ARRAYS));
    boolean sketches = options.contains(SKETCHES);
    boolean arrays = options.contains(ARRAYS);
    String further =
        options.stream()
            .filter(option -> option.startsWith(AGGREGATORS))
            .map(option -> option.substring(AGGREGATORS.length()))
            .collect(Collectors.joining());
    args.addAll(
        List.of(
            "--snapshot-root=" + settings.get("root"),
            "--data-snapshot=" + snapshot,
            "--tsd-config=" + tsdConfig(snapshot, further, sketches, arrays),
            "--from=" + DataRows.START,
            "--to=" + DataRows.end(settings.number("hours")),
            "--report=" + report));
    if (!sink.equals("hfile") || !further.isEmpty() || sketches) {
      args.add("--uid-snapshot=" + Tables.UIDS);
    }
    args.addAll(
        sink.equals("hfile")
            ? List.of(
                "--sink=hfile",
                "--hfile-dir=" + dir.resolve("hfiles").toUri(),
                "--target-snapshot=" + TARGET + (sketches ? "," + HISTOGRAM_TARGET : ""))
            : List.of(
                "--kafka-bootstrap=" + settings.get("bootstrap"),
                "--topic=" + settings.get("topic")));
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said, true);
    if (new RollupMain(out, out).run(args.toArray(String[]::new)) != ExitCode.DONE) {
      throw new IllegalStateException("a run to " + sink + " must succeed, said " + said);
    }
    JsonNode found = new ObjectMapper().readTree(Files.readString(report));
    JsonNode seconds = found.path("secondsByPhase");
    return new Found(
        found.at("/points/aggregated").doubleValue(),
        found.at("/rollups").doubleValue(),
        found.at("/messages/acknowledged").doubleValue(),
        seconds.path("plan").doubleValue(),
        seconds.path("roll up").doubleValue(),
        sink.equals("hfile")
            ? bytes(Path.of(URI.create(found.at("/output/hfileDir").asText())))
            : 0);
  }

  /** Bytes of all HFiles of a run. */
  private static long bytes(Path run) throws IOException {
    try (Stream<Path> files = Files.walk(run)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("v1_"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  private Path tsdConfig(String snapshot, String further, boolean sketches, boolean arrays)
      throws IOException {
    ObjectNode config = (ObjectNode) new ObjectMapper().readTree(SuiteWay.ROLLUPS);
    if (arrays) {
      config.withObject("/suite").put("rollupMessage", 3);
    }
    if (!further.isEmpty()) {
      all(config, "values").put("aggregators", further);
    }
    if (sketches) {
      all(config, "histograms");
      config
          .withObject("/suite/histogramTables")
          .put("1h", HISTOGRAM_TABLE)
          .put("1d", "tsdb-histogram-1d");
    }
    Path rollups = Files.writeString(dir.resolve("rollup_config.json"), config.toString());
    return Files.writeString(
        dir.resolve("opentsdb.conf"),
        "tsd.rollups.config = %s%ntsd.storage.hbase.data_table = %s%n%s = %s%n"
            .formatted(
                rollups,
                Tables.dataTable(snapshot),
                StorageSchema.HISTOGRAMS_CONFIG,
                TsdServer.SKETCH_CONFIG));
  }

  /** Adds an entry of all metrics to a list of {@code suite}. */
  private static ObjectNode all(ObjectNode config, String list) {
    return config
        .withObject("/suite")
        .withArray(list)
        .addObject()
        .put("metrics", "*")
        .put("intervals", "1h,1d");
  }

  private void print(Samples<Run> way) {
    String name = way.name();
    Cost.print(name + ".points", way.median(run -> run.found().points()));
    Cost.print(name + ".rollups", way.median(run -> run.found().rollups()));
    Cost.print(name + ".messages", way.median(run -> run.found().messages()));
    Cost.print(name + ".plan", way.median(run -> run.found().plan()));
    Cost.print(name + ".rollUp", way.median(run -> run.found().rollUp()));
    Cost.print(name + ".bytes", way.median(run -> run.found().bytes()));
    Cost.print(name + ".cpu", way.median(run -> run.cost().processNanos()) / 1e9);
    Cost.print(name + ".wall", way.median(run -> run.cost().wallNanos()) / 1e9);
    Cost.print(name + ".gc", way.median(run -> run.cost().gcNanos()) / 1e9);
    for (int i = 0; i < servers.size(); i++) {
      int server = i;
      Cost.print(name + ".server" + i, way.median(run -> run.servers().get(server)));
    }
  }
}
