package io.tsdbsuite.bench.ingest;

import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Samples;
import io.tsdbsuite.bench.measure.Suite;
import io.tsdbsuite.bench.measure.Trial;
import io.tsdbsuite.bench.measure.Way;
import io.tsdbsuite.message.write.MessageFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** {@code make bench-ingest}: rates of rollups and of raw points, from a topic into HBase. */
public final class IngestBench implements Suite {
  private static final int ROUNDS = 5;
  private static final int METRICS = 10;
  private static final int SINGLE_POINTS = 200_000;
  private static final int POINTS = 1_000_000;

  /** The part for rollups; the others are batch sizes of raw points. */
  private static final String ROLLUPS = "0";

  private static final List<Integer> CONNECTIONS = List.of(2, 4, 8);

  @Override
  public String question() {
    return "How many rollups (part 0) and points (in messages of so many) does a TSD with"
        + " kafka-ingest store?";
  }

  @Override
  public String peer() {
    return "rollups: four messages, and puts of OpenTSDB's own code; points: /api/put";
  }

  @Override
  public List<String> parts() {
    return List.of(ROLLUPS, "1", "50", "500");
  }

  @Override
  public List<String> numbers() {
    return List.of("SCALE", "ROUNDS");
  }

  @Override
  public void run(Trial trial, Report report) throws IOException, InterruptedException {
    int rounds = (int) trial.second(ROUNDS);
    report.fact(
        "%s share the machine. Medians of %d rounds after one to warm up",
        Servers.VERSIONS, rounds);
    try (Servers servers = new Servers()) {
      if (trial.parts().contains(ROLLUPS)) {
        rollups(servers, trial.scale(), rounds, report);
      }
      List<String> batches = trial.parts().stream().filter(part -> !part.equals(ROLLUPS)).toList();
      if (!batches.isEmpty()) {
        report.table(
            "Raw points | Points per second | Slowest..fastest round | Ratio"
                + " | CPU s per million: TSD | HBase | Kafka | Client");
      }
      for (String batch : batches) {
        raw(servers, Integer.parseInt(batch), trial.scale(), rounds, report);
      }
    }
  }

  private static void rollups(Servers servers, double scale, int rounds, Report report)
      throws IOException, InterruptedException {
    RollupLoad load = new RollupLoad((int) Math.max(1, METRICS * scale));
    List<StoreWay> ways =
        List.of(
            TopicWay.suite(
                servers,
                "kafka-ingest, 1 message",
                Servers.ROLLUPS,
                load.messages(Servers.ROLLUPS, MessageFormat.ROLLUP)),
            TopicWay.suite(
                servers,
                "kafka-ingest, 1 message for 24 hours of a series",
                Servers.ROLLUPS,
                load.days(Servers.ROLLUPS, "1h")),
            TopicWay.suite(
                servers,
                "the same, packed beside plain",
                Servers.ROLLUPS,
                load.days(Servers.ROLLUPS, Servers.PACKED)),
            TopicWay.stock(
                servers,
                "stock way, 4 messages and 4 puts",
                load.messages(Servers.AGGREGATES, MessageFormat.AGGREGATE)));
    report.table(
        "Rollups | Series-intervals per second | Slowest..fastest round | Ratio"
            + " | CPU s per million: TSD | HBase | Kafka");
    List<Samples<Cost>> all = measure(load.points(), rounds, ways);
    all.forEach(one -> report.row("%s", row(one, all.get(all.size() - 1))));
  }

  private static List<Samples<Cost>> measure(long units, int rounds, List<StoreWay> ways)
      throws IOException, InterruptedException {
    return Samples.of(
        1,
        rounds,
        ways.stream().map(way -> new Way<>(way.name(), () -> way.round(units))).toList());
  }

  /** Compares kafka-ingest with HTTP puts; these use their best number of connections. */
  private static void raw(Servers servers, int batch, double scale, int rounds, Report report)
      throws IOException, InterruptedException {
    int points = (int) ((batch == 1 ? SINGLE_POINTS : POINTS) * scale) / 1000 * 1000;
    RawLoad load = new RawLoad(points);
    List<StoreWay> ways = new ArrayList<>();
    for (int connections : CONNECTIONS) {
      ways.add(new HttpWay(servers, load, batch, connections));
    }
    StoreWay suite =
        TopicWay.suite(
            servers,
            "messages of " + batch + " by kafka-ingest",
            Servers.RAW,
            load.messages(batch));
    // kafka-ingest runs too, to warm up its compiler: the other TSD gets three times as many runs.
    List<Samples<Cost>> tried =
        measure(points, 1, Stream.concat(ways.stream(), Stream.of(suite)).toList());
    int best = 0;
    for (int i = 1; i < ways.size(); i++) {
      best = tried.get(i).median(Cost::rate) > tried.get(best).median(Cost::rate) ? i : best;
    }
    List<Samples<Cost>> both = measure(points, rounds, List.of(suite, ways.get(best)));
    report.row("%s | -", row(both.get(0), both.get(1)));
    report.row(
        "%s | %.1f", row(both.get(1), both.get(1)), both.get(1).median(Cost::clientPerMillion));
  }

  private static String row(Samples<Cost> one, Samples<Cost> peer) {
    return String.join(
        " | ",
        one.name(),
        Report.number(one.median(Cost::rate)),
        one.range(Cost::rate),
        String.format(Locale.ROOT, "%.2fx", one.median(Cost::rate) / peer.median(Cost::rate)),
        Report.tenths(one.median(Cost::tsdPerMillion)),
        Report.tenths(one.median(Cost::hbasePerMillion)),
        Report.tenths(one.median(Cost::kafkaPerMillion)));
  }
}
