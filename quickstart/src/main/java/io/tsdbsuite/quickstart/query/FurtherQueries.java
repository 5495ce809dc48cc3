package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.testkit.TsdException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Queries that a stock TSD answers from raw data alone, wrongly, or not at all; and queries of the
 * last days, where no rollups are proven. Each answer is compared with raw data.
 */
public final class FurtherQueries {
  private static final List<Query> HARD =
      List.of(
          Query.of("0all-avg", "avg", false),
          Query.of("6h-max", "none", true),
          Query.of("1d-avg", "avg", false).in("Europe/Berlin"),
          Query.of("1h-max", "sum", false).ofCounter());

  /** Of the last days a stock TSD reads the rollups that are in the table, all or not. */
  private static final List<Query> LAST =
      List.of(
          Query.of("1h-avg", "avg", false),
          Query.of("1h-sum", "none", false),
          Query.of("0all-max", "max", true));

  /** A query that takes longer runs once, milliseconds. */
  private static final double SLOW = 400;

  private static final int RUNS = 5;
  private static final double NANOS_PER_MILLI = 1e6;

  private final QueryClient client;
  private final ScanCounter scans;
  private final byte[] metric;
  private final LongSupplier nanoTime;

  /** An answer and the median of the times that it took, milliseconds. */
  private record Run(Answer answer, double millis) {}

  /**
   * @param client runs the queries
   * @param scans counts the cells of raw data
   * @param metric UID of the metric
   * @param nanoTime a clock as {@link System#nanoTime}
   */
  public FurtherQueries(
      QueryClient client, ScanCounter scans, byte[] metric, LongSupplier nanoTime) {
    this.client = client;
    this.scans = scans;
    this.metric = metric.clone();
    this.nanoTime = nanoTime;
  }

  /**
   * Asks for times whose rollups are proven.
   *
   * @throws TsdException when raw data or the plugin rejects a query
   * @throws IOException when HBase does not answer
   */
  public List<FurtherResult> hard(QuerySpan span) throws IOException {
    return all(HARD, span);
  }

  /**
   * Asks for times up to the present.
   *
   * @throws TsdException when raw data or the plugin rejects a query
   * @throws IOException when HBase does not answer
   */
  public List<FurtherResult> last(QuerySpan span) throws IOException {
    return all(LAST, span);
  }

  private List<FurtherResult> all(List<Query> queries, QuerySpan span) throws IOException {
    List<FurtherResult> results = new ArrayList<>();
    for (Query query : queries) {
      results.add(measure(query, span));
    }
    return results;
  }

  private FurtherResult measure(Query query, QuerySpan span) throws IOException {
    Run raw = run(query, QuerySource.RAW_COMPACTED, span);
    Run plugin = run(query, QuerySource.PLUGIN, span);
    return new FurtherResult(
        query,
        span,
        raw.millis(),
        stock(query, span, raw.answer()),
        plugin.millis(),
        reading(query, span),
        AnswerComparison.of(raw.answer(), plugin.answer(), query.exact()));
  }

  /** The plugin does not count what OpenTSDB's own code reads. */
  private PluginReading reading(Query query, QuerySpan span) throws IOException {
    PluginReading reading = client.reading(query, span);
    return reading.isRaw() && span.host().isEmpty()
        ? new PluginReading(reading.pieces(), scans.raw(metric, span.from(), span.to()).cells())
        : reading;
  }

  private String stock(Query query, QuerySpan span, Answer raw) {
    try {
      Run stock = run(query, QuerySource.STOCK, span);
      int wrong = AnswerComparison.of(raw, stock.answer(), query.exact()).differences().size();
      return Timings.text(stock.millis())
          + (wrong == 0
              ? ""
              : String.format(
                  Locale.ROOT, ", %,d %s wrong", wrong, wrong == 1 ? "point" : "points"));
    } catch (TsdException e) {
      return "HTTP " + e.status();
    }
  }

  private Run run(Query query, QuerySource source, QuerySpan span) {
    List<Double> millis = new ArrayList<>();
    Answer answer;
    do {
      long start = nanoTime.getAsLong();
      answer = client.ask(query, source, span);
      millis.add((nanoTime.getAsLong() - start) / NANOS_PER_MILLI);
    } while (millis.size() < RUNS && millis.get(0) <= SLOW);
    return new Run(answer, new Timings(millis).median());
  }
}
