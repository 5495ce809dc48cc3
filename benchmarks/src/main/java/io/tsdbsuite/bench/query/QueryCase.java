package io.tsdbsuite.bench.query;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A query.
 *
 * @param name its range, for people
 * @param function aggregator and downsampler
 * @param filter appended to the metric; empty for none
 * @param from begin, seconds since the epoch
 * @param to end, exclusive, a whole hour
 */
record QueryCase(String name, String metric, String function, String filter, long from, long to) {
  /** Metric of few series. */
  static final String FEW = "bench.few";

  /** Metric of many series. */
  static final String MANY = "bench.many";

  /** Metrics of few series whose rollups have further aggregators. */
  static final Map<String, List<String>> FURTHER =
      new TreeMap<>(
          Map.of(
              "bench.few07", List.of("p50", "p95", "p99"),
              "bench.few10", List.of("p50", "p75", "p90", "p95", "p99", "p999")));

  /** Metric of few series whose days have sketches. */
  static final String SKETCHES = "bench.few07";

  /** Metric of few series with the rollups of {@link #FEW}, also in packed rows; no raw data. */
  static final String PACKED = "bench.packed";

  private static final String PERCENTILES = ":percentiles[99]";

  private static final String BY_HOST = "{host=*}";

  /**
   * What is stored, seconds since the epoch. Raw data end now, rollups at the last midnight, as
   * after a nightly run.
   *
   * @param now a whole hour
   */
  record Times(long now) {
    static final long HOUR = 3600;
    static final long DAY = 24 * HOUR;

    /** End of the rollups. */
    long midnight() {
      return now - now % DAY;
    }

    /** Begin of the rollups, and of the raw data of few series. */
    long year() {
      return midnight() - 365 * DAY;
    }

    /** Begin of the raw data and of the hours of many series. */
    long month() {
      return midnight() - 30 * DAY;
    }
  }

  /** All queries that are measured. */
  static List<QueryCase> all(Times times) {
    long now = times.now();
    long midnight = times.midnight();
    List<QueryCase> all = new ArrayList<>();
    for (String metric : List.of(FEW, MANY)) {
      Range hour = new Range(all, "1 h to now", metric, now - Times.HOUR, now);
      hour.add("sum:1m-avg", "");
      Range day = new Range(all, "1 d", metric, midnight - Times.DAY, midnight);
      day.add("sum:1h-avg", "");
      day.add("sum:1h-avg", BY_HOST);
      day.add("sum:1h-dev", "");
      new Range(all, "1 d to now", metric, now - Times.DAY, now).add("sum:1h-avg", "");
      Range month = new Range(all, "30 d", metric, times.month(), midnight);
      month.add("sum:1h-avg", "");
      month.add("sum:6h-max", BY_HOST);
      Range year = new Range(all, "1 y", metric, times.year(), midnight);
      year.add("sum:1d-avg", "");
      year.add("sum:6h-avg", "");
      year.add("sum:0all-avg", "");
    }
    Range year = new Range(all, "1 y", FEW, times.year(), midnight);
    year.add("sum:1h-avg", "");
    year.add("sum:1d-avg", BY_HOST);
    new Range(all, "1 y to now", FEW, times.year(), now).add("sum:6h-avg", "");
    return all;
  }

  /**
   * Percentiles of a month, and what further cells cost other queries: the same over rollups of
   * four and more aggregators.
   */
  static List<QueryCase> percentiles(Times times) {
    long midnight = times.midnight();
    List<QueryCase> all = new ArrayList<>();
    Range month = new Range(all, "30 d", "bench.few07", times.month(), midnight);
    month.add("max:1h-p99", "");
    month.add("max:1d-p99", "");
    month.add("max:1d-p99", BY_HOST);
    month.add("max:7d-p99", "");
    month.add("sum:7d-sum" + PERCENTILES, BY_HOST);
    new Range(all, "1 y", SKETCHES, times.year(), midnight).add("sum:30d-sum" + PERCENTILES, "");
    List<String> metrics = new ArrayList<>(List.of(FEW));
    metrics.addAll(FURTHER.keySet());
    for (String metric : metrics) {
      Range year = new Range(all, "1 y", metric, times.year(), midnight);
      year.add("sum:1d-max", "");
      year.add("sum:1h-max", "");
    }
    return all;
  }

  /** Queries of {@link #FEW} that are also asked of {@link #PACKED}. */
  static List<QueryCase> packed(Times times) {
    List<QueryCase> all = new ArrayList<>();
    Range year = new Range(all, "1 y", FEW, times.year(), times.midnight());
    year.add("sum:1d-max", "");
    year.add("sum:1d-avg", "");
    year.add("sum:1h-max", "");
    year.add("sum:1h-avg", "");
    return all;
  }

  /** The same query of another metric. */
  QueryCase of(String other) {
    return new QueryCase(name, other, function, filter, from, to);
  }

  /** Number of aggregators that its rollups have. */
  int aggregators() {
    return 4 + FURTHER.getOrDefault(metric, List.of()).size();
  }

  private record Range(List<QueryCase> all, String name, String metric, long from, long to) {
    void add(String function, String filter) {
      all.add(new QueryCase(name, metric, function, filter, from, to));
    }
  }

  /** Whether it asks for percentiles of sketches. */
  boolean isOfSketches() {
    return function.endsWith(PERCENTILES);
  }

  /**
   * The request to a way: parameters, or a body. With arrays, a value that is there twice can be
   * seen. A TSD adds a second to the end, and reads the interval that begins then.
   *
   * <p>A stock TSD reads sketches from the preAggregationTable of its default interval, by a body:
   * a parameter has too few parts. Raw data have no sketches, but the same percentile of points.
   */
  String request(String way) {
    if (isOfSketches() && way.equals(QueryWay.STOCK)) {
      String host = filter.isEmpty() ? "" : ",\"tags\":{\"host\":\"*\"}";
      return """
      {"start":%d,"end":%d,"queries":[{"metric":"%s","aggregator":"sum","downsample":"%s"%s,
      "percentiles":[99],"preAggregate":true,"rollupUsage":"ROLLUP_RAW"}]}
      """
          .formatted(from, to - 2, metric, function.split(":", -1)[1], host);
    }
    String asked =
        isOfSketches() && way.equals(QueryWay.RAW)
            ? function.replace("sum" + PERCENTILES, "p99")
            : function;
    String m = URLEncoder.encode(asked + ":" + metric + filter, StandardCharsets.UTF_8);
    return "?arrays=true&start=%d&end=%d&m=%s".formatted(from, to - 2, m);
  }

  /** Whether what the way reads is stored: raw data of many series are so for a month. */
  boolean isStoredFor(String way, Times times) {
    boolean raw = metric.equals(FEW) || from >= times.month();
    if (isOfSketches()) {
      return !way.equals(QueryWay.SPLIT) && (raw || !way.equals(QueryWay.RAW));
    }
    // OpenTSDB has no rollups for 0all.
    return raw
        || way.equals(QueryWay.PLUGIN)
        || (!way.equals(QueryWay.RAW) && !function.contains(":0all-"));
  }

  /** Whether it is one of a year of few series that the plugin should answer in milliseconds. */
  boolean isFastYear() {
    return metric.equals(FEW)
        && name.equals("1 y")
        && filter.isEmpty()
        && !function.contains(":1h-");
  }
}
