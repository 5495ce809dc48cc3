package io.tsdbsuite.quickstart.query;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Measures questions: warm-up, then rounds in which the sources take turns, so that what happens on
 * the machine meanwhile happens to all.
 */
public final class Stopwatch {
  /** Rounds for each question. */
  public static final int ROUNDS = 3;

  /** Runs of each source before the rounds: rollups' own code is short and compiled late. */
  private static final Map<Source, Integer> WARM_UP =
      Map.of(Source.RAW_CELLS, 0, Source.RAW_COMPACTED, 1, Source.ROLLUPS, 40);

  /** Runs of each source in a round: short ones vary more. */
  private static final Map<Source, Integer> RUNS =
      Map.of(Source.RAW_CELLS, 1, Source.RAW_COMPACTED, 3, Source.ROLLUPS, 9);

  private static final double NANOS_PER_MILLI = 1e6;

  private final Asker asker;
  private final LongSupplier nanoTime;

  /**
   * @param asker asks
   * @param nanoTime a clock as {@link System#nanoTime}
   */
  public Stopwatch(Asker asker, LongSupplier nanoTime) {
    this.asker = asker;
    this.nanoTime = nanoTime;
  }

  /**
   * Fills caches and has the TSD's code compiled, once for all questions.
   *
   * @param question any
   * @param from first second, since the epoch
   * @param to last second, exclusive
   */
  public void warmUp(Question question, long from, long to) {
    for (Source source : Source.values()) {
      ask(question, source, from, to);
      ask(question, source, from, to);
    }
  }

  /**
   * Asks a question of all sources, and compares.
   *
   * @param question the question
   * @param from first second, since the epoch
   * @param to last second, exclusive
   * @throws io.tsdbsuite.testkit.TsdException when the TSD refuses
   */
  public Measurement measure(Question question, long from, long to) {
    String downsample = question.downsample();
    Answer rawBySeries = asker.ask(downsample, "none", Source.RAW_COMPACTED, from, to);
    Answer rollupBySeries = asker.ask(downsample, "none", Source.ROLLUPS, from, to);
    Map<Source, Answer> answers = new EnumMap<>(Source.class);
    Map<Source, List<Double>> runs = new EnumMap<>(Source.class);
    for (Source source : Source.values()) {
      for (int run = 0; run < WARM_UP.get(source); run++) {
        ask(question, source, from, to);
      }
      runs.put(source, new ArrayList<>());
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (Source source : Source.values()) {
        for (int run = 0; run < RUNS.get(source); run++) {
          long start = nanoTime.getAsLong();
          answers.put(source, ask(question, source, from, to));
          runs.get(source).add((nanoTime.getAsLong() - start) / NANOS_PER_MILLI);
        }
      }
    }
    Map<Source, Timings> timings = new EnumMap<>(Source.class);
    runs.forEach((source, millis) -> timings.put(source, new Timings(millis)));
    Map<Source, Agreement> agreements = new EnumMap<>(Source.class);
    Answer rollup = answers.get(Source.ROLLUPS);
    for (Source raw : List.of(Source.RAW_CELLS, Source.RAW_COMPACTED)) {
      agreements.put(raw, Agreement.of(answers.get(raw), rollup, question.exact()));
    }
    return new Measurement(
        question,
        answers,
        agreements,
        Agreement.of(rawBySeries, rollupBySeries, question.exact()),
        timings);
  }

  private Answer ask(Question question, Source source, long from, long to) {
    return asker.ask(question.downsample(), question.aggregator(), source, from, to);
  }
}
