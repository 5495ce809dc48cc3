package io.tsdbsuite.quickstart.query;

import java.util.List;

/**
 * What a dashboard asks of all series together, over whole days.
 *
 * @param downsample the downsampler, for example {@code 1h-avg}
 * @param aggregator joins the series, for example {@code avg}
 * @param stored aggregators in the rollup table that it reads: for avg those are sum and count
 * @param exact whether answers from rollups must be the same bits; if not, to 1e-9 relative
 */
public record Question(String downsample, String aggregator, List<String> stored, boolean exact) {
  /** The four that the quickstart asks. */
  public static final List<Question> ALL =
      List.of(
          new Question("1h-sum", "sum", List.of("sum"), false),
          new Question("1h-avg", "avg", List.of("sum", "count"), false),
          new Question("1h-max", "max", List.of("max"), true),
          new Question("1d-avg", "avg", List.of("sum", "count"), false));

  /** Copies the list. */
  public Question {
    stored = List.copyOf(stored);
  }

  /** As the TSD's {@code m} parameter has it: {@code avg:1h-avg}. */
  public String text() {
    return aggregator + ":" + downsample;
  }
}
