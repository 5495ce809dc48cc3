package io.tsdbsuite.quickstart.query;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * How much raw data the TSD of the quickstart (512 MiB of heap) can hold for one query. It keeps
 * all raw points of a query until it has aggregated them: about 2.4 kB for each series and hour of
 * 360 points.
 *
 * @param series number of series of the metric
 */
public record QueryLimits(int series) {
  /** Days times series of one query of raw data: 15.6 million points. */
  static final int SERIES_DAYS = 1800;

  /** Days times series of one query of compacted rows, so that it does not wait for the GC. */
  private static final int PART_SERIES_DAYS = 600;

  private static final int LAST_DAYS_SERIES = 60;
  private static final int DAY = 86400;

  /** Whether one query can read all series with a cell for each point. */
  public boolean cells(QuerySpan span) {
    return (long) span.days() * series <= SERIES_DAYS;
  }

  /**
   * Whether rollup-query can hold the raw points of the last days, up to four, of all series: 48
   * bytes each, in a quarter of the heap.
   */
  public boolean lastDays() {
    return series <= LAST_DAYS_SERIES;
  }

  /** Whether one query can read the span from compacted rows. */
  public boolean onePart(QuerySpan span) {
    return parts(span).size() == 1;
  }

  /** The longest of some spans that fits; the first if none does. */
  public static QuerySpan longest(List<QuerySpan> spans, Predicate<QuerySpan> fits) {
    return spans.stream().filter(fits).reduce((a, b) -> b).orElse(spans.get(0));
  }

  /** The consecutive spans, of whole days, whose compacted rows one query each can read. */
  public List<QuerySpan> parts(QuerySpan span) {
    long width = (long) DAY * Math.max(1, PART_SERIES_DAYS / (span.host().isEmpty() ? series : 1));
    return LongStream.iterate(span.from(), at -> at < span.to(), at -> at + width)
        .mapToObj(
            at -> new QuerySpan(span.text(), at, Math.min(at + width, span.to()), span.host()))
        .toList();
  }
}
