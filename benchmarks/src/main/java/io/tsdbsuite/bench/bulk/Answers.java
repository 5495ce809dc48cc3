package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.synthetic.SyntheticNames;
import io.tsdbsuite.synthetic.SyntheticPoints;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.TsdServer;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** Compares a TSD's query results with the generated points. */
final class Answers {
  private static final int HOUR_MILLIS = 3_600_000;
  private static final int DAY_HOURS = 24;

  private final TsdServer tsd;
  private final SyntheticShape shape;
  private final SyntheticPoints points;
  private final SyntheticNames names;
  private long compared;

  Answers(TsdServer tsd, SyntheticShape shape) {
    this.tsd = tsd;
    this.shape = shape;
    this.points = new SyntheticPoints(shape);
    this.names = new SyntheticNames(shape);
  }

  /**
   * Queries count, sum and maximum of each hour of four days (at the beginning, at the end and
   * between) for four series.
   *
   * @return number of compared values
   * @throws IllegalStateException with the first difference
   */
  static long check(TsdServer tsd, SyntheticShape shape) {
    Answers answers = new Answers(tsd, shape);
    long hours = shape.span().plusMillis(HOUR_MILLIS - 1).toMillis() / HOUR_MILLIS;
    long lastDay = Math.max(0, hours - DAY_HOURS);
    for (int series : new int[] {0, 1, shape.series() / 2, shape.series() - 1}) {
      for (int third = 0; third <= 3; third++) {
        answers.day(series, lastDay * third / 3);
      }
    }
    return answers.compared;
  }

  private void day(int series, long hour) {
    compare(series, hour, "1h-count", point -> 1, Long::sum);
    compare(series, hour, "1h-sum", point -> points.longValue(series, point), Long::sum);
    compare(series, hour, "1h-max", point -> points.longValue(series, point), Math::max);
  }

  private void compare(
      int series, long hour, String downsample, LongUnaryOperator value, LongBinaryOperator join) {
    SortedMap<Long, Double> expected = new TreeMap<>();
    long start = shape.start().toEpochMilli();
    long perHour = HOUR_MILLIS / shape.intervalMillis();
    for (long h = hour; h < hour + DAY_HOURS; h++) {
      long end = Math.min((h + 1) * perHour, shape.pointsPerSeries());
      if (h * perHour < end) {
        long sum = value.applyAsLong(h * perHour);
        for (long point = h * perHour + 1; point < end; point++) {
          sum = join.applyAsLong(sum, value.applyAsLong(point));
        }
        expected.put(start + h * HOUR_MILLIS, (double) sum);
      }
    }
    QuerySpec query =
        QuerySpec.of(
                names.metric(series),
                (start + hour * HOUR_MILLIS) / 1000,
                (start + (hour + DAY_HOURS) * HOUR_MILLIS) / 1000 - 1)
            .downsample(downsample);
    List<String> tags = names.tags(series);
    for (int i = 0; i < tags.size(); i += 2) {
      query = query.tag(tags.get(i), tags.get(i + 1));
    }
    SortedMap<Long, Double> found = new TreeMap<>();
    for (Series one : tsd.client().query(query)) {
      found.putAll(one.points());
    }
    if (!found.equals(expected)) {
      throw new IllegalStateException(
          "the TSD must answer " + query + " with " + expected + ", found " + found);
    }
    compared += expected.size();
  }
}
