package io.tsdbsuite.quickstart.query;

import java.util.List;

/**
 * A dashboard's query.
 *
 * @param downsample the downsampler, for example {@code 1h-avg}
 * @param aggregator joins the series, for example {@code avg}; {@code none} returns each series
 * @param exact whether answers from rollups must have the same bits; otherwise the tolerance is
 *     1e-9 relative
 * @param timezone whose days the buckets are, for example {@code Europe/Berlin}; empty for UTC
 * @param counter whether to ask for the rate of a counter, in which falls are resets
 */
public record Query(
    String downsample, String aggregator, boolean exact, String timezone, boolean counter) {
  /** The queries that are timed over all ranges. */
  public static final List<Query> ALL =
      List.of(
          of("1h-avg", "avg", false),
          of("6h-avg", "avg", false),
          of("1d-avg", "avg", false),
          of("1d-max", "max", true));

  /** A query in UTC. */
  public static Query of(String downsample, String aggregator, boolean exact) {
    return new Query(downsample, aggregator, exact, "", false);
  }

  /** A copy whose buckets are days and hours of a time zone's calendar. */
  Query in(String zone) {
    return new Query(downsample, aggregator, exact, zone, counter);
  }

  /** A copy that asks for the rate of a counter. */
  Query ofCounter() {
    return new Query(downsample, aggregator, exact, timezone, true);
  }

  /** The interval of the buckets: {@code 1h}. */
  public String interval() {
    return downsample.substring(0, downsample.indexOf('-'));
  }

  /** The form of the TSD's {@code m} parameter: {@code avg:1h-avg}; with the time zone. */
  public String text() {
    String rate = counter ? "rate{counter,," + QueryClient.RESET_VALUE + "}:" : "";
    return aggregator
        + ":"
        + rate
        + (timezone.isEmpty() ? downsample : downsample.replaceFirst("-", "c-") + " " + timezone);
  }
}
