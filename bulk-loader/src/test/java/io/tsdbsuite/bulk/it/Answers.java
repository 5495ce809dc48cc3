package io.tsdbsuite.bulk.it;

import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.TsdServer;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a TSD says of all series of a metric. */
final class Answers {
  private Answers() {}

  /** Tags to points. */
  static Map<String, SortedMap<Long, Double>> of(TsdServer tsd, String metric) {
    return of(tsd, QuerySpec.of(metric, RandomPoints.START, end()));
  }

  static Map<String, SortedMap<Long, Double>> of(TsdServer tsd, QuerySpec query) {
    Map<String, SortedMap<Long, Double>> answers = new TreeMap<>();
    for (Series series : tsd.client().query(query)) {
      answers.put(series.tags().toString(), series.points());
    }
    return answers;
  }

  static long end() {
    return RandomPoints.START + 3600L * RandomPoints.HOURS - 2;
  }
}
