package io.tsdbsuite.bench.ingest;

import io.tsdbsuite.bench.measure.Machine;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Results of the comparisons as Markdown. The last of each comparison is not the suite's. */
final class Report {

  private final int rounds;
  private final double loadBefore = Machine.load();
  private final StringBuilder rollups =
      new StringBuilder(
          """
| Rollups | Series-intervals per second | Slowest..fastest round | Ratio | CPU s per million: TSD | HBase | Kafka |
| --- | --- | --- | --- | --- | --- | --- |
""");
  private final StringBuilder raw =
      new StringBuilder(
          """
| Raw points | Points per second | Slowest..fastest round | Ratio | CPU s per million: TSD | HBase | Kafka | Client |
| --- | --- | --- | --- | --- | --- | --- | --- |
""");

  Report(int rounds) {
    this.rounds = rounds;
  }

  void rollups(Contest contest) {
    for (int way = 0; way < contest.ways(); way++) {
      rollups.append(row(contest, way)).append("|\n");
    }
  }

  void raw(Contest contest) {
    for (int way = 0; way < contest.ways(); way++) {
      boolean suite = way < contest.ways() - 1;
      raw.append(row(contest, way))
          .append(suite ? "| - " : cpu(contest, way, Round::clientCpu))
          .append("|\n");
    }
  }

  private static String row(Contest contest, int way) {
    return String.format(
            Locale.ROOT,
            "| %s | %,.0f | %s | %.2fx ",
            contest.name(way),
            contest.rate(way),
            contest.range(way),
            contest.rate(way) / contest.rate(contest.ways() - 1))
        + cpu(contest, way, Round::tsdCpu)
        + cpu(contest, way, Round::hbaseCpu)
        + cpu(contest, way, Round::kafkaCpu);
  }

  private static String cpu(Contest contest, int way, ToDoubleFunction<Round> process) {
    return String.format(Locale.ROOT, "| %.1f ", contest.cpu(way, process));
  }

  String markdown() {
    return String.format(
            Locale.ROOT,
            """
Command: `make bench-ingest`, %s. Machine: %s for HBase 2.6.4, Kafka 3.9.2, TSD 2.4.1 and the client together, JDK %s. Load average %.1f before the first round and %.1f after the last. Medians of %d rounds after one to warm up.

""",
            LocalDate.now(ZoneOffset.UTC),
            Machine.cores(),
            Machine.jdk(),
            loadBefore,
            Machine.load(),
            rounds)
        + rollups
        + "\n"
        + raw;
  }
}
