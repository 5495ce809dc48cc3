package io.tsdbsuite.quickstart.query;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Measures queries: warm-up, then rounds in which the sources alternate, so that other load on the
 * machine affects all sources equally. A source whose query takes longer than 0.4 s runs once.
 *
 * @param client runs the queries
 * @param limits the ranges of one query of raw data
 * @param nanoTime a clock as {@link System#nanoTime}
 */
public record QueryTimer(QueryClient client, QueryLimits limits, LongSupplier nanoTime) {
  private static final int ROUNDS = 3;

  /** A query that takes longer has warmed up itself, and runs once, milliseconds. */
  private static final double SLOW = 400;

  /** Time for the runs of one source in a round, milliseconds. */
  private static final double ROUND = 150;

  /** Time for the warm-up of one source, milliseconds: the JIT compiles short code paths late. */
  private static final double WARM_UP = 300;

  private static final int MAX_RUNS = 9;
  private static final int MAX_WARM_UPS = 40;
  private static final double NANOS_PER_MILLI = 1e6;

  /** An answer and the time that it took, milliseconds. */
  private record Run(Answer answer, double millis) {}

  /**
   * Runs a query over all sources, and compares the answers.
   *
   * @param query the query
   * @param range the range
   * @param to end of the range, seconds since the epoch, exclusive
   * @param bySeries whether to compare also the answers for each series; only for a range of one
   *     part
   * @throws io.tsdbsuite.testkit.TsdException when the TSD rejects the query
   */
  public QueryMeasurement measure(Query query, QueryRange range, long to, boolean bySeries) {
    QuerySpan span = QuerySpan.of(range, to);
    List<AnswerComparison> comparisons = new ArrayList<>();
    if (bySeries) {
      Query each = Query.of(query.downsample(), "none", query.exact());
      comparisons.add(
          AnswerComparison.of(
              client.ask(each, QuerySource.RAW_COMPACTED, span),
              client.ask(each, QuerySource.PLUGIN, span),
              query.exact()));
    }
    Map<QuerySource, Answer> answers = new EnumMap<>(QuerySource.class);
    Map<QuerySource, List<Double>> millis = new EnumMap<>(QuerySource.class);
    Map<QuerySource, Integer> runs = new EnumMap<>(QuerySource.class);
    for (QuerySource source : QuerySource.values()) {
      if (source != QuerySource.RAW_CELLS || limits.cells(range)) {
        double fastest = warmUp(query, source, span, answers, millis);
        runs.put(source, fastest > SLOW ? 0 : (int) Math.min(MAX_RUNS, 1 + ROUND / fastest));
      }
    }
    for (int round = 0; round < ROUNDS; round++) {
      runs.forEach(
          (source, number) -> {
            for (int run = 0; run < number; run++) {
              Run timed = run(query, source, span);
              answers.put(source, timed.answer());
              millis.computeIfAbsent(source, any -> new ArrayList<>()).add(timed.millis());
            }
          });
    }
    Map<QuerySource, Timings> timings = new EnumMap<>(QuerySource.class);
    millis.forEach((source, times) -> timings.put(source, new Timings(times)));
    Answer rollup = Objects.requireNonNull(answers.get(QuerySource.PLUGIN));
    answers.forEach(
        (source, answer) -> {
          if (source != QuerySource.PLUGIN) {
            comparisons.add(AnswerComparison.of(answer, rollup, query.exact()));
          }
        });
    return new QueryMeasurement(
        query,
        range,
        limits.parts(range),
        bySeries,
        answers,
        comparisons,
        timings,
        client.reading(query, span));
  }

  /** Runs a query until its code is compiled; returns the time of the fastest run. */
  private double warmUp(
      Query query,
      QuerySource source,
      QuerySpan span,
      Map<QuerySource, Answer> answers,
      Map<QuerySource, List<Double>> millis) {
    double fastest = Double.MAX_VALUE;
    double sum = 0;
    // The first run over rollups may find HBase's cache cold.
    int least = source == QuerySource.STOCK || source == QuerySource.PLUGIN ? 2 : 1;
    for (int run = 0; run < least || (run < MAX_WARM_UPS && sum < WARM_UP); run++) {
      Run timed = run(query, source, span);
      fastest = Math.min(fastest, timed.millis());
      sum += timed.millis();
      answers.put(source, timed.answer());
    }
    if (fastest > SLOW) {
      millis.put(source, List.of(fastest));
    }
    return fastest;
  }

  private Run run(Query query, QuerySource source, QuerySpan span) {
    long start = nanoTime.getAsLong();
    Answer answer =
        source == QuerySource.RAW_COMPACTED
            ? inParts(query, span)
            : client.ask(query, source, span);
    return new Run(answer, (nanoTime.getAsLong() - start) / NANOS_PER_MILLI);
  }

  private Answer inParts(Query query, QuerySpan span) {
    List<Long> bounds = limits.bounds(span.from(), span.to());
    List<Answer> parts = new ArrayList<>();
    for (int part = 1; part < bounds.size(); part++) {
      parts.add(
          client.ask(
              query, QuerySource.RAW_COMPACTED, span.part(bounds.get(part - 1), bounds.get(part))));
    }
    return Answer.join(parts);
  }
}
