package io.tsdbsuite.bulk.group;

import io.tsdbsuite.format.row.RowKey;
import java.io.IOException;
import java.util.Arrays;

/** Accepted points, points to load and newest time of each series of a spill. */
final class SeriesSums {
  private final long[] accepted;
  private final long[] points;
  private final long[] newestMillis;

  SeriesSums(int series) {
    accepted = new long[series];
    points = new long[series];
    newestMillis = new long[series];
  }

  /**
   * An hour of a series.
   *
   * @param came number of points that came, duplicates included
   * @param howMany number of points without duplicates
   * @param lastMillis offset of its last point
   */
  void add(int number, int came, int howMany, long baseTime, int lastMillis) {
    accepted[number] += came;
    points[number] += howMany;
    newestMillis[number] = Math.max(newestMillis[number], baseTime * 1000 + lastMillis);
  }

  /** Hands over by TSUID all series that have points. */
  void handOver(SeriesList series, RowKey rowKey, HourSink sink) throws IOException {
    for (SeriesRow row : byTsuid(series.ranked(), rowKey.metricOffset())) {
      int number = row.series;
      if (points[number] > 0) {
        sink.series(
            rowKey.tsuid(row.template, 0, row.template.length),
            series.names(number),
            accepted[number],
            points[number],
            newestMillis[number]);
      }
    }
  }

  /** Without a salt the order of row keys, with one the order of each salt, to be merged. */
  private static SeriesRow[] byTsuid(SeriesRow[] ranked, int saltWidth) {
    if (saltWidth == 0) {
      return ranked;
    }
    SeriesRow[] sorted = ranked.clone();
    Arrays.sort(
        sorted,
        (a, b) ->
            Arrays.compareUnsigned(
                a.template,
                saltWidth,
                a.template.length,
                b.template,
                saltWidth,
                b.template.length));
    return sorted;
  }
}
