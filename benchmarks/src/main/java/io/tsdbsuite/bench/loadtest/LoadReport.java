package io.tsdbsuite.bench.loadtest;

import io.tsdbsuite.bench.load.Protocol;
import io.tsdbsuite.bench.measure.Machine;
import io.tsdbsuite.synthetic.round.RoundShape;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;

/**
 * Formats the measured costs as Markdown tables. The first set-up is the reference of all ratios.
 */
final class LoadReport {
  private static final String COUNTS_HEAD =
      """

| Counters after the TSDs have stopped | Points written | Sum of ts_ctr | Difference |
| --- | --- | --- | --- |
""";

  private final RoundShape shape;
  private final int rounds;
  private final double loadBefore = Machine.load();
  private final StringBuilder tables = new StringBuilder();
  private final StringBuilder counts = new StringBuilder();

  LoadReport(RoundShape shape, int rounds) {
    this.shape = shape;
    this.rounds = rounds;
  }

  void peak(Protocol protocol, List<Rounds> all) {
    tables.append(
        String.format(
            Locale.ROOT,
            """

| As fast as it goes, %s | Points per second | Slowest..fastest round | TSD CPU s per million | TSD CPU over off | HBase CPU s per million | Writes per point: tsdb | tsdb-meta | Reads of tsdb-meta per point | Failed points |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
""",
            protocol.name().toLowerCase(Locale.ROOT)));
    for (Rounds one : all) {
      tables.append(
          String.format(
              Locale.ROOT,
              "| %s | %,.0f | %s | %.2f | %s | %.1f | %.3f | %s | %s | %,d |%n",
              one.setup().name(),
              one.median(Sample::rate),
              one.range(Sample::rate),
              one.median(Sample::tsdPerMillion),
              one.over(all.get(0), Sample::tsdPerMillion),
              one.median(Sample::hbasePerMillion),
              one.median(Sample::dataWrites),
              perPoint(one.median(Sample::metaWrites)),
              perPoint(one.median(Sample::metaReads)),
              one.failed()));
    }
  }

  /**
   * Adds the table of the held load.
   *
   * @param ttlSeconds TTL of the plugin, seconds
   * @param pairs the compared set-ups
   * @param stock set-ups that are not compared
   */
  void held(int ttlSeconds, List<Pair> pairs, List<Rounds> stock) {
    tables.append(
        String.format(
            Locale.ROOT,
            """

| Held, telnet, ttl_seconds=%d | Passes | Points per second | TSD CPU s per million | TSD CPU over off, by pass | All passes together | HBase CPU s per million | Writes per point: tsdb | tsdb-meta | Points per write to tsdb-meta | Busiest second over mean | Failed points |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
""",
            ttlSeconds));
    for (Pair pair : pairs) {
      String name = pair.setup().name();
      held(name + (pair.setup().isOff() ? "" : ", switched off"), pair.off(), "-", "-");
      held(
          name + (pair.setup().isOff() ? ", again" : ""),
          pair.on(),
          pair.on().over(pair.off(), Sample::tsdPerMillion),
          String.format(Locale.ROOT, "%.3f", pair.on().tsdOver(pair.off())));
    }
    for (Rounds one : stock) {
      held(one.setup().name(), one, "-", "-");
    }
  }

  private void held(String name, Rounds one, String byPass, String together) {
    double writes = one.median(Sample::metaWrites);
    tables.append(
        String.format(
            Locale.ROOT,
            "| %s | %d | %,.0f | %.2f | %s | %s | %.1f | %.3f | %s | %s | %s | %,d |%n",
            name,
            one.count(),
            one.median(Sample::rate),
            one.median(Sample::tsdPerMillion),
            byPass,
            together,
            one.median(Sample::hbasePerMillion),
            one.median(Sample::dataWrites),
            perPoint(writes),
            writes == 0 ? "-" : String.format(Locale.ROOT, "%.1f", 1 / writes),
            writes == 0 ? "-" : String.format(Locale.ROOT, "%.1fx", one.median(Sample::busiest)),
            one.failed()));
  }

  /**
   * Adds a comparison of the counters with all points of a set-up, including the warm-up.
   *
   * @param points number of points written
   * @param counted sum of the set-up's counters
   */
  void counts(Setup setup, long points, long counted) {
    counts.append(
        String.format(
            Locale.ROOT,
            "| %s, %s | %,d | %,d | %,d |%n",
            setup.name(),
            setup.id(),
            points,
            counted,
            counted - points));
  }

  private static String perPoint(double value) {
    return value == 0 ? "0" : String.format(Locale.ROOT, value < 0.1 ? "%.5f" : "%.3f", value);
  }

  String markdown() {
    return String.format(
            Locale.ROOT,
            """
Command: `make load-test`, %s. Machine: %s for HBase 2.6.4, TSD 2.4.1 and the generator together, JDK %s. Load average %.1f before the first round and %.1f after the last. METRICS=%d TAGKS=%d TAGVS=%d: %,d series. As fast as it goes: medians of %d rounds. Held: medians of the passes.
""",
            LocalDate.now(ZoneOffset.UTC),
            Machine.cores(),
            Machine.jdk(),
            loadBefore,
            Machine.load(),
            shape.metrics(),
            shape.tagks(),
            shape.tagvs(),
            shape.series(),
            rounds)
        + tables
        + (counts.isEmpty() ? "" : COUNTS_HEAD + counts);
  }
}
