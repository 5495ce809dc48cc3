package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.testkit.TsdException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Measures queries, and compares the answers. A query that takes longer than 0.4 s has warmed up
 * itself, and runs once.
 *
 * @param client runs the queries
 * @param limits the ranges of one query of raw data
 * @param nanoTime a clock as {@link System#nanoTime}
 */
public record QueryTimer(QueryClient client, QueryLimits limits, LongSupplier nanoTime) {
  private static final int ROUNDS = 3;

  /** A slow query, milliseconds. */
  private static final double SLOW = 400;

  /** Time for the runs of one source in a round, milliseconds. */
  private static final double ROUND = 150;

  /** Time for the warm-up of one source, milliseconds: the JIT compiles short code paths late. */
  private static final double WARM_UP = 300;

  private static final int MAX_RUNS = 9;
  private static final int MAX_WARM_UPS = 40;
  private static final int FEW = 5;
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * Runs a query over all sources: warm-up, then rounds in which the sources alternate, so that
   * other load on the machine affects all sources equally.
   *
   * @param bySeries whether to compare also the answers for each series; only for a span of one
   *     part
   * @throws TsdException when the TSD rejects the query
   */
  public QueryMeasurement measure(Query query, QuerySpan span, boolean bySeries) {
    List<AnswerComparison> comparisons = new ArrayList<>();
    if (bySeries) {
      Query each = Query.of(query.downsample(), "none", query.exact());
      comparisons.add(
          AnswerComparison.of(
              client.ask(each, QuerySource.RAW_COMPACTED, span),
              client.ask(each, QuerySource.PLUGIN, span),
              query.exact()));
    }
    Map<QuerySource, Runs> runs = new EnumMap<>(QuerySource.class);
    for (QuerySource source : QuerySource.values()) {
      if (source != QuerySource.RAW_CELLS || limits.cells(span)) {
        runs.put(source, warmUp(query, source, span));
      }
    }
    Map<QuerySource, List<Double>> millis = new EnumMap<>(QuerySource.class);
    Map<QuerySource, Answer> last = new EnumMap<>(QuerySource.class);
    for (int round = 0; round < ROUNDS; round++) {
      runs.forEach(
          (source, warm) -> {
            if (warm.min() <= SLOW) {
              int number = (int) Math.min(MAX_RUNS, 1 + ROUND / warm.min());
              Runs timed = run(query, source, span, done -> done.size() == number);
              millis.computeIfAbsent(source, any -> new ArrayList<>()).addAll(timed.millis());
              last.put(source, timed.answer());
            }
          });
    }
    runs.replaceAll(
        (source, warm) ->
            new Runs(
                last.getOrDefault(source, warm.answer()),
                millis.getOrDefault(source, List.of(warm.min()))));
    Answer plugin = Objects.requireNonNull(runs.get(QuerySource.PLUGIN)).answer();
    runs.forEach(
        (source, each) -> {
          if (source != QuerySource.PLUGIN) {
            comparisons.add(AnswerComparison.of(each.answer(), plugin, query.exact()));
          }
        });
    String stock = Runs.text(Objects.requireNonNull(runs.get(QuerySource.STOCK)).median());
    return new QueryMeasurement(query, span, runs, stock, comparisons, client.reading(query, span));
  }

  /**
   * Runs a query a few times from raw data, by the plugin, and by a stock TSD, which may refuse it
   * or answer wrongly.
   *
   * @throws TsdException when raw data or the plugin rejects the query
   */
  public QueryMeasurement measureFew(Query query, QuerySpan span) {
    Runs raw = few(query, QuerySource.RAW_COMPACTED, span);
    Runs plugin = few(query, QuerySource.PLUGIN, span);
    return new QueryMeasurement(
        query,
        span,
        Map.of(QuerySource.RAW_COMPACTED, raw, QuerySource.PLUGIN, plugin),
        stock(query, span, raw.answer()),
        List.of(AnswerComparison.of(raw.answer(), plugin.answer(), query.exact())),
        client.reading(query, span));
  }

  private String stock(Query query, QuerySpan span, Answer raw) {
    try {
      Runs stock = few(query, QuerySource.STOCK, span);
      int wrong = AnswerComparison.of(raw, stock.answer(), query.exact()).differences().size();
      return Runs.text(stock.median())
          + switch (wrong) {
            case 0 -> "";
            case 1 -> ", 1 point wrong";
            default -> String.format(Locale.ROOT, ", %,d points wrong", wrong);
          };
    } catch (TsdException e) {
      return "HTTP " + e.status();
    }
  }

  private Runs few(Query query, QuerySource source, QuerySpan span) {
    return run(query, source, span, done -> done.size() == FEW || done.get(0) > SLOW);
  }

  /** Runs a query until its code is compiled. */
  private Runs warmUp(Query query, QuerySource source, QuerySpan span) {
    // The first run over rollups may find HBase's cache cold.
    int least = source == QuerySource.STOCK || source == QuerySource.PLUGIN ? 2 : 1;
    return run(
        query,
        source,
        span,
        done ->
            done.size() >= least
                && (done.size() >= MAX_WARM_UPS
                    || done.stream().mapToDouble(Double::doubleValue).sum() >= WARM_UP));
  }

  private Runs run(
      Query query, QuerySource source, QuerySpan span, Predicate<List<Double>> enough) {
    List<QuerySpan> parts =
        source == QuerySource.RAW_COMPACTED ? limits.parts(span) : List.of(span);
    List<Double> millis = new ArrayList<>();
    Answer answer;
    do {
      long start = nanoTime.getAsLong();
      answer = Answer.join(parts.stream().map(part -> client.ask(query, source, part)).toList());
      millis.add((nanoTime.getAsLong() - start) / NANOS_PER_MILLI);
    } while (!enough.test(millis));
    return new Runs(answer, millis);
  }
}
