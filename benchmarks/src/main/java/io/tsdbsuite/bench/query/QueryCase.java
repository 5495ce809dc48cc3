package io.tsdbsuite.bench.query;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

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
  private static final String BY_HOST = "{host=*}";

  /** All queries that are measured. */
  static List<QueryCase> all(Times times) {
    long now = times.now();
    long midnight = times.midnight();
    List<QueryCase> all = new ArrayList<>();
    for (String metric : List.of(QueryServers.FEW, QueryServers.MANY)) {
      new Range(all, "1 h to now", metric, now - Times.HOUR, now).add("sum:1m-avg", "");
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
    Range year = new Range(all, "1 y", QueryServers.FEW, times.year(), midnight);
    year.add("sum:1h-avg", "");
    year.add("sum:1d-avg", BY_HOST);
    new Range(all, "1 y to now", QueryServers.FEW, times.year(), now).add("sum:6h-avg", "");
    return all;
  }

  private record Range(List<QueryCase> all, String name, String metric, long from, long to) {
    void add(String function, String filter) {
      all.add(new QueryCase(name, metric, function, filter, from, to));
    }
  }

  /**
   * Parameters of the request. With arrays, a value that is there twice can be seen. A TSD adds a
   * second to the end, and reads the interval that begins then.
   */
  String uri() {
    return "?arrays=true&start="
        + from
        + "&end="
        + (to - 2)
        + "&m="
        + URLEncoder.encode(function + ":" + metric + filter, StandardCharsets.UTF_8);
  }

  /** Whether what the way reads is stored: raw data of many series are so for a month. */
  boolean isStoredFor(Way way, Times times) {
    boolean raw = metric.equals(QueryServers.FEW) || from >= times.month();
    // OpenTSDB has no rollups for 0all.
    return raw
        || way.name().equals(Way.PLUGIN)
        || (!way.name().equals(Way.RAW) && !function.contains(":0all-"));
  }

  /** Whether it is one of a year that the plugin should answer in milliseconds. */
  boolean isFastYear() {
    return name.equals("1 y") && filter.isEmpty() && !function.contains(":1h-");
  }
}
