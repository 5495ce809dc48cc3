package io.tsdbsuite.bulk.group;

import java.util.Arrays;

/** The row key of a series, and its position in the order of all row keys. */
final class SeriesRow implements Comparable<SeriesRow> {
  /** Row key with a base time of 0. */
  final byte[] template;

  /** Number of the series in its table. */
  final int series;

  /** Rank of its salt and metric among all salts and metrics. */
  int group;

  /** Rank among the series of the same salt and metric. */
  int place;

  /** Number of the first series with the same row key: itself, unless two names share UIDs. */
  int leader;

  SeriesRow(byte[] template, int series) {
    this.template = template;
    this.series = series;
  }

  /** Orders series by row key. */
  @Override
  public int compareTo(SeriesRow other) {
    return Arrays.compareUnsigned(template, other.template);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SeriesRow row && Arrays.equals(template, row.template);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(template);
  }
}
