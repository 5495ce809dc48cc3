package io.tsdbsuite.cluster;

import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.TsdServer;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Each point of {@link Points} as a TSD answers it. */
final class Values {
  private Values() {}

  /** Values by milliseconds, by series. */
  static Map<String, SortedMap<Long, Double>> of(TsdServer tsd) {
    Map<String, SortedMap<Long, Double>> all = new TreeMap<>();
    for (String metric : Points.METRICS) {
      all.putAll(of(tsd, metric));
    }
    return all;
  }

  /** The points of one metric, which must exist. */
  static Map<String, SortedMap<Long, Double>> of(TsdServer tsd, String metric) {
    Map<String, SortedMap<Long, Double>> all = new TreeMap<>();
    QuerySpec raw = QuerySpec.of(metric, Points.FROM, Points.TO - 2);
    for (Series series : tsd.client().query(raw)) {
      all.put(series.metric() + new TreeMap<>(series.tags()), new TreeMap<>(series.points()));
    }
    return all;
  }
}
