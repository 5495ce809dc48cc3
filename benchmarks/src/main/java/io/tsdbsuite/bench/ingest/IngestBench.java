package io.tsdbsuite.bench.ingest;

import io.tsdbsuite.bench.MarkedSection;
import io.tsdbsuite.message.write.MessageFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures all implementations, prints the tables and writes them between a document's marks. */
public final class IngestBench {
  private static final int USAGE = 2;
  private static final int ROUNDS = 5;
  private static final int METRICS = 10;
  private static final int SINGLE_POINTS = 200_000;
  private static final int POINTS = 1_000_000;

  /** Batch size that stands for rollups. */
  private static final int ROLLUPS = 0;

  /** The part that counts RPCs. */
  private static final String RPCS = "rpcs";

  private static final List<String> PARTS = List.of("0", "1", "50", "500", RPCS);
  private static final Path STOCK_SLF4J = Path.of("target/stock/slf4j-api.jar");
  private static final int[] CONNECTIONS = {2, 4, 8};

  private final Servers servers;
  private final double scale;
  private final int rounds;

  private IngestBench(Servers servers, double scale, int rounds) {
    this.servers = servers;
    this.scale = scale;
    this.rounds = rounds;
  }

  /**
   * Arguments: the document and the jar of kafka-ingest. {@code rpcs} as the only further argument
   * measures that part alone. More arguments make a trial, which does not write the document: the
   * share of the full load, the rounds, and the parts: batch sizes of raw points, 0 for rollups, or
   * {@code rpcs}.
   */
  public static void main(String[] args) throws IOException {
    boolean rpcsOnly = args.length == 3 && args[2].equals(RPCS);
    if (args.length < 2 || (args.length == 3 && !rpcsOnly)) {
      System.err.println(
          "bench-ingest: arguments are DOCUMENT JAR [rpcs | SCALE ROUNDS [BATCH | rpcs]...], found "
              + String.join(" ", args));
      System.exit(USAGE);
    }
    boolean trial = args.length > 3;
    double scale = trial ? Double.parseDouble(args[2]) : 1;
    List<String> parts = args.length > 4 ? List.of(args).subList(4, args.length) : PARTS;
    MarkedSection rates = new MarkedSection(Path.of(args[0]), "make bench-ingest");
    MarkedSection rpcs = new MarkedSection(Path.of(args[0]), "make bench-ingest, RPCs");
    List<String> batches =
        rpcsOnly ? List.of() : parts.stream().filter(part -> !part.equals(RPCS)).toList();
    if (!batches.isEmpty()) {
      int rounds = trial ? Integer.parseInt(args[3]) : ROUNDS;
      Report report = rates(Path.of(args[1]), scale, rounds, batches);
      write(report.markdown(), rates, trial);
    }
    if (parts.contains(RPCS)) {
      int rounds = trial ? Integer.parseInt(args[3]) : RpcPart.ROUNDS;
      RpcTable table = new RpcPart(Path.of(args[1]), STOCK_SLF4J, scale, rounds).run();
      write(table.markdown(), rpcs, trial);
    }
  }

  private static void write(String markdown, MarkedSection section, boolean trial)
      throws IOException {
    System.out.println("\n" + markdown);
    if (!trial) {
      section.write(markdown);
    }
  }

  private static Report rates(Path plugin, double scale, int rounds, List<String> batches)
      throws IOException {
    try (Servers servers = new Servers(plugin, STOCK_SLF4J)) {
      IngestBench bench = new IngestBench(servers, scale, rounds);
      Report report = new Report(rounds);
      for (int batch : batches.stream().mapToInt(Integer::parseInt).toArray()) {
        if (batch == ROLLUPS) {
          report.rollups(bench.rollups());
        } else {
          report.raw(bench.raw(batch, batch == 1 ? SINGLE_POINTS : POINTS));
        }
      }
      return report;
    }
  }

  private Contest rollups() throws IOException {
    RollupLoad load = new RollupLoad((int) Math.max(1, METRICS * scale), RollupLoad.Order.JOB);
    Way suite =
        new PluginWay(
            servers,
            "kafka-ingest, 1 message",
            Servers.ROLLUPS,
            load.messages(Servers.ROLLUPS, MessageFormat.ROLLUP));
    Way days =
        new PluginWay(
            servers,
            "kafka-ingest, 1 message for 24 hours of a series",
            Servers.ROLLUPS,
            load.days(Servers.ROLLUPS));
    Way stock =
        new StockWay(
            servers,
            "stock way, 4 messages and 4 puts",
            load.messages(Servers.AGGREGATES, MessageFormat.AGGREGATE));
    return new Contest(servers, load.points(), List.of(suite, days, stock)).run(rounds);
  }

  /** Compares kafka-ingest with HTTP puts; these use their best number of connections. */
  private Contest raw(int batch, int points) throws IOException {
    RawLoad load = new RawLoad((int) (points * scale) / 1000 * 1000);
    List<Way> puts = new ArrayList<>();
    for (int connections : CONNECTIONS) {
      puts.add(new HttpWay(servers, load, batch, connections));
    }
    Way suite =
        new PluginWay(
            servers,
            "messages of " + batch + " by kafka-ingest",
            Servers.RAW,
            load.messages(batch));
    // kafka-ingest runs too, to warm up its compiler: the other TSD gets three times as many runs.
    List<Way> all = new ArrayList<>(puts);
    all.add(suite);
    Contest trial = new Contest(servers, load.points(), all).run(1);
    int best = 0;
    for (int i = 1; i < puts.size(); i++) {
      best = trial.rate(i) > trial.rate(best) ? i : best;
    }
    return new Contest(servers, load.points(), List.of(suite, puts.get(best))).run(rounds);
  }
}
