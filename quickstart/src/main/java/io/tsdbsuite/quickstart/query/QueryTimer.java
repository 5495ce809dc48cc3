package io.tsdbsuite.quickstart.query;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Measures queries: warm-up, then rounds in which the sources alternate, so that other load on the
 * machine affects all sources equally.
 */
public final class QueryTimer {
  /** Rounds for each query. */
  public static final int ROUNDS = 3;

  /** Warm-up runs of each source: the JIT compiles the short code path of rollups late. */
  private static int warmUpRuns(QuerySource source) {
    return switch (source) {
      case RAW_CELLS -> 0;
      case RAW_COMPACTED -> 1;
      case ROLLUPS -> 40;
    };
  }

  /** Runs of each source in a round; more for fast sources, whose times vary more. */
  private static int runs(QuerySource source) {
    return switch (source) {
      case RAW_CELLS -> 1;
      case RAW_COMPACTED -> 3;
      case ROLLUPS -> 9;
    };
  }

  private static final double NANOS_PER_MILLI = 1e6;

  private final QueryClient client;
  private final LongSupplier nanoTime;

  /**
   * @param client runs the queries
   * @param nanoTime a clock as {@link System#nanoTime}
   */
  public QueryTimer(QueryClient client, LongSupplier nanoTime) {
    this.client = client;
    this.nanoTime = nanoTime;
  }

  /**
   * Fills caches and warms up the TSD's JIT compiler, once for all queries.
   *
   * @param query any query
   * @param from first second, since the epoch
   * @param to last second, exclusive
   */
  public void warmUp(Query query, long from, long to) {
    for (QuerySource source : QuerySource.values()) {
      ask(query, source, from, to);
      ask(query, source, from, to);
    }
  }

  /**
   * Runs a query over all sources, and compares the answers.
   *
   * @param query the query
   * @param from first second, since the epoch
   * @param to last second, exclusive
   * @throws io.tsdbsuite.testkit.TsdException when the TSD rejects the query
   */
  public QueryMeasurement measure(Query query, long from, long to) {
    String downsample = query.downsample();
    Answer rawBySeries = client.ask(downsample, "none", QuerySource.RAW_COMPACTED, from, to);
    Answer rollupBySeries = client.ask(downsample, "none", QuerySource.ROLLUPS, from, to);
    Map<QuerySource, Answer> answers = new EnumMap<>(QuerySource.class);
    Map<QuerySource, List<Double>> runs = new EnumMap<>(QuerySource.class);
    for (QuerySource source : QuerySource.values()) {
      for (int run = 0; run < warmUpRuns(source); run++) {
        ask(query, source, from, to);
      }
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (QuerySource source : QuerySource.values()) {
        for (int run = 0; run < runs(source); run++) {
          long start = nanoTime.getAsLong();
          answers.put(source, ask(query, source, from, to));
          runs.computeIfAbsent(source, any -> new ArrayList<>())
              .add((nanoTime.getAsLong() - start) / NANOS_PER_MILLI);
        }
      }
    }
    Map<QuerySource, Timings> timings = new EnumMap<>(QuerySource.class);
    runs.forEach((source, millis) -> timings.put(source, new Timings(millis)));
    Map<QuerySource, AnswerComparison> comparisons = new EnumMap<>(QuerySource.class);
    Answer rollup = answer(answers, QuerySource.ROLLUPS);
    for (QuerySource raw : List.of(QuerySource.RAW_CELLS, QuerySource.RAW_COMPACTED)) {
      comparisons.put(raw, AnswerComparison.of(answer(answers, raw), rollup, query.exact()));
    }
    return new QueryMeasurement(
        query,
        answers,
        comparisons,
        AnswerComparison.of(rawBySeries, rollupBySeries, query.exact()),
        timings);
  }

  private static Answer answer(Map<QuerySource, Answer> answers, QuerySource source) {
    return Objects.requireNonNull(answers.get(source), source.text());
  }

  private Answer ask(Query query, QuerySource source, long from, long to) {
    return client.ask(query.downsample(), query.aggregator(), source, from, to);
  }
}
