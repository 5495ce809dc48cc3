package io.tsdbsuite.quickstart.query;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Measures questions: warm-up, then rounds in which raw data and rollups take turns, so that what
 * happens on the machine meanwhile happens to both.
 */
public final class Stopwatch {
  private static final int WARM_UP_RAW = 1;
  private static final int ROUNDS = 3;

  /** So fast that a few more cost nothing, and the JIT compiler has something to look at. */
  private static final int ROLLUPS_PER_RAW = 7;

  private static final int WARM_UP_ROLLUP = 30;
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

  /** Runs of a question on raw data. */
  public static int rounds() {
    return ROUNDS;
  }

  /** Runs of a question on rollups. */
  public static int rollupRuns() {
    return ROUNDS * ROLLUPS_PER_RAW;
  }

  /**
   * Asks a question of both and compares.
   *
   * @param question the question
   * @param from first second, since the epoch
   * @param to last second, exclusive
   */
  public Measurement measure(Question question, long from, long to) {
    String downsample = question.name();
    Answer rawBySeries = asker.ask(downsample, "none", Source.ROLLUP_RAW, from, to);
    Answer bySeries = asker.ask(downsample, "none", Source.ROLLUP_NOFALLBACK, from, to);
    time(question, Source.ROLLUP_RAW, from, to, WARM_UP_RAW, new ArrayList<>());
    time(question, Source.ROLLUP_NOFALLBACK, from, to, WARM_UP_ROLLUP, new ArrayList<>());
    List<Double> rawTimes = new ArrayList<>();
    List<Double> rollupTimes = new ArrayList<>();
    Answer raw = null;
    Answer rollup = null;
    for (int round = 0; round < ROUNDS; round++) {
      raw = time(question, Source.ROLLUP_RAW, from, to, 1, rawTimes);
      rollup = time(question, Source.ROLLUP_NOFALLBACK, from, to, ROLLUPS_PER_RAW, rollupTimes);
    }
    return new Measurement(
        question,
        raw,
        rollup,
        Agreement.of(raw, rollup, question.exact()),
        Agreement.of(rawBySeries, bySeries, question.exact()),
        new Timings(rawTimes),
        new Timings(rollupTimes));
  }

  private Answer time(
      Question question, Source source, long from, long to, int runs, List<Double> into) {
    Answer answer = null;
    for (int run = 0; run < runs; run++) {
      long start = nanoTime.getAsLong();
      answer = asker.ask(question.name(), question.aggregator(), source, from, to);
      into.add((nanoTime.getAsLong() - start) / NANOS_PER_MILLI);
    }
    return answer;
  }
}
