package io.tsdbsuite.quickstart.query;

import java.util.List;

/**
 * A dashboard's query over all series together, for whole days.
 *
 * @param downsample the downsampler, for example {@code 1h-avg}
 * @param aggregator joins the series, for example {@code avg}
 * @param stored aggregators that it reads from the rollup table: sum and count for avg
 * @param exact whether answers from rollups must have the same bits; otherwise the tolerance is
 *     1e-9 relative
 */
public record Query(String downsample, String aggregator, List<String> stored, boolean exact) {
  /** The queries of the quickstart. */
  public static final List<Query> ALL =
      List.of(
          new Query("1h-avg", "avg", List.of("sum", "count"), false),
          new Query("1d-avg", "avg", List.of("sum", "count"), false),
          new Query("1d-max", "max", List.of("max"), true));

  /** Copies the list. */
  public Query {
    stored = List.copyOf(stored);
  }

  /** The interval of the rollups that it reads: {@code 1h}. */
  public String interval() {
    return downsample.substring(0, downsample.indexOf('-'));
  }

  /** The form of the TSD's {@code m} parameter: {@code avg:1h-avg}. */
  public String text() {
    return aggregator + ":" + downsample;
  }
}
