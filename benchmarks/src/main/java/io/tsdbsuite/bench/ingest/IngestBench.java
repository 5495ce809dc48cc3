package io.tsdbsuite.bench.ingest;

import io.tsdbsuite.bench.MarkedSection;
import io.tsdbsuite.message.write.MessageFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Measures all implementations, prints the tables and writes them between a document's marks. */
public final class IngestBench {
  private static final int USAGE = 2;
  private static final int ROUNDS = 5;
  private static final int METRICS = 10;
  private static final int SINGLE_POINTS = 200_000;
  private static final int POINTS = 1_000_000;

  /** Value among the batch sizes that stands for rollups. */
  private static final int ROLLUPS = 0;

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
   * Arguments: the document and the jar of kafka-ingest. More arguments make a trial, which does
   * not write the document: the share of the full load, the rounds, and the batch sizes of raw
   * points, 0 for rollups.
   */
  public static void main(String[] args) throws IOException {
    if (args.length < 2 || args.length == 3) {
      System.err.println(
          "bench-ingest: arguments are DOCUMENT JAR [SCALE ROUNDS [BATCH...]], found "
              + args.length);
      System.exit(USAGE);
    }
    boolean trial = args.length > 2;
    MarkedSection section = new MarkedSection(Path.of(args[0]), "make bench-ingest");
    double scale = trial ? Double.parseDouble(args[2]) : 1;
    int rounds = trial ? Integer.parseInt(args[3]) : ROUNDS;
    int[] batches =
        args.length > 4
            ? Stream.of(args).skip(4).mapToInt(Integer::parseInt).toArray()
            : new int[] {ROLLUPS, 1, 50, 500};
    try (Servers servers = new Servers(Path.of(args[1]), Path.of("target/stock/slf4j-api.jar"))) {
      IngestBench bench = new IngestBench(servers, scale, rounds);
      Report report = new Report(rounds);
      for (int batch : batches) {
        if (batch == ROLLUPS) {
          report.rollups(bench.rollups());
        } else {
          report.raw(bench.raw(batch, batch == 1 ? SINGLE_POINTS : POINTS));
        }
      }
      System.out.println("\n" + report.markdown());
      if (!trial) {
        section.write(report.markdown());
      }
    }
  }

  private Contest rollups() throws IOException {
    RollupLoad load = new RollupLoad((int) Math.max(1, METRICS * scale));
    Way suite =
        new PluginWay(
            servers,
            "rollups by kafka-ingest",
            Servers.ROLLUPS,
            load.messages(Servers.ROLLUPS, MessageFormat.ROLLUP));
    Way stock = new StockWay(servers, load.messages(Servers.AGGREGATES, MessageFormat.AGGREGATE));
    return new Contest(servers, load.points(), List.of(suite, stock)).run(rounds);
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
