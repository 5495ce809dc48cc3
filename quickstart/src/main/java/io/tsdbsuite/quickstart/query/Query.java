package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.quickstart.data.Latency;
import java.util.List;
import java.util.stream.Stream;

/**
 * A dashboard's query.
 *
 * @param downsample the downsampler, for example {@code 1h-avg}
 * @param aggregator joins the series, for example {@code avg}; {@code none} returns each series
 * @param exact whether answers from rollups must have the same bits; otherwise the tolerance is
 *     1e-9 relative
 * @param timezone whose days the buckets are, for example {@code Europe/Berlin}; empty for UTC
 * @param counter whether to ask for the rate of a counter, in which falls are resets
 * @param metric empty for that of the source
 */
public record Query(
    String downsample,
    String aggregator,
    boolean exact,
    String timezone,
    boolean counter,
    String metric) {
  /** The queries that are timed over all ranges. */
  public static final List<Query> ALL =
      List.of(
          of("1h-avg", "avg", false),
          of("6h-avg", "avg", false),
          of("1d-avg", "avg", false),
          of("1d-max", "max", true));

  /** Queries that a stock TSD answers from raw data alone, wrongly, or not at all. */
  public static final List<Query> HARD =
      List.of(
          of("0all-avg", "avg", false),
          of("6h-max", "none", true),
          new Query("1d-avg", "avg", false, "Europe/Berlin", false, ""),
          new Query("1h-max", "sum", false, "", true, ""));

  /** Of the last days a stock TSD reads the rollups that are in the table, all or not. */
  public static final List<Query> LAST =
      List.of(of("1h-avg", "avg", false), of("1h-sum", "none", false), of("0all-max", "max", true));

  /** A query in UTC. */
  public static Query of(String downsample, String aggregator, boolean exact) {
    return new Query(downsample, aggregator, exact, "", false, "");
  }

  /** The median and the 99th percentile of {@link Latency}, in buckets of an interval. */
  public static List<Query> ofLatency(String interval) {
    return Stream.of("-p50", "-p99")
        .map(function -> new Query(interval + function, "none", true, "", false, Latency.METRIC))
        .toList();
  }

  /** Whether it is of {@link Latency}. */
  public boolean isOfLatency() {
    return metric.equals(Latency.METRIC);
  }

  /** The interval of the buckets: {@code 1h}. */
  public String interval() {
    return downsample.substring(0, downsample.indexOf('-'));
  }

  /** What is computed of the points of a bucket: {@code p99}. */
  public String function() {
    return downsample.substring(downsample.indexOf('-') + 1);
  }

  /** The form of the TSD's {@code m} parameter: {@code avg:1h-avg}; with the time zone. */
  public String text() {
    String rate = counter ? "rate{counter,," + QueryClient.RESET_VALUE + "}:" : "";
    return aggregator
        + ":"
        + rate
        + (timezone.isEmpty() ? downsample : downsample.replaceFirst("-", "c-") + " " + timezone)
        + (metric.isEmpty() ? "" : ":" + metric);
  }
}
