package io.tsdbsuite.bulk.group;

import io.tsdbsuite.format.row.RowKey;
import java.io.IOException;
import java.util.Arrays;

/** Accepted points, points to load and newest time of each series of a spill. */
final class SeriesSums {
  private static final int FIELDS = 3;
  private static final int ACCEPTED = 0;
  private static final int POINTS = 1;
  private static final int NEWEST = 2;

  /** Fields of each series beside each other: hours come in the order of rows, not of series. */
  private final long[] sums;

  SeriesSums(int series) {
    sums = new long[series * FIELDS];
  }

  /**
   * An hour of a series.
   *
   * @param came number of points that came, duplicates included
   * @param howMany number of points without duplicates
   * @param lastMillis offset of its last point
   */
  void add(int number, int came, int howMany, long baseTime, int lastMillis) {
    int at = number * FIELDS;
    sums[at + ACCEPTED] += came;
    sums[at + POINTS] += howMany;
    sums[at + NEWEST] = Math.max(sums[at + NEWEST], baseTime * 1000 + lastMillis);
  }

  /** Hands over by TSUID all series that have points. */
  void handOver(SeriesList series, RowKey rowKey, HourSink sink) throws IOException {
    for (SeriesRow row : byTsuid(series.ranked(), rowKey.metricOffset())) {
      int number = row.series;
      int at = number * FIELDS;
      if (sums[at + POINTS] > 0) {
        sink.series(
            rowKey.tsuid(row.template, 0, row.template.length),
            series.names(number),
            sums[at + ACCEPTED],
            sums[at + POINTS],
            sums[at + NEWEST]);
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
