package io.tsdbsuite.synthetic.row;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.synthetic.Times;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * All rows of a shape by number, in the order of their keys. Series of one salt and metric are a
 * group; in a group hours ascend, and in an hour series do.
 *
 * <pre>
 *   row       0        1        2        3          4        5
 *   group     salt 1, metric 7                      salt 1, metric 8
 *   hour      0        0        1        1          0        1
 *   series    12       3        12       3          5        5
 * </pre>
 */
final class RowOrder {
  private final int timeOffset;
  private final List<byte[]> templates;
  private final long firstHour;
  private final long hours;

  /** Series in the order of their keys. */
  private final int[] series;

  /** Where each group begins in {@link #series}, and the end. */
  private final int[] groups;

  RowOrder(Times times, RowKey rowKey, List<byte[]> templates) {
    timeOffset = rowKey.timeOffset();
    this.templates = List.copyOf(templates);
    firstHour = times.firstHour();
    hours = times.lastHour() - firstHour + 1;
    series =
        IntStream.range(0, templates.size())
            .boxed()
            .sorted((a, b) -> Arrays.compareUnsigned(templates.get(a), templates.get(b)))
            .mapToInt(Integer::intValue)
            .toArray();
    groups =
        IntStream.rangeClosed(0, series.length)
            .filter(i -> i == 0 || i == series.length || !sameGroup(i - 1, i))
            .toArray();
    for (int i = 1; i < series.length; i++) {
      if (Arrays.equals(template(i - 1), template(i))) {
        throw new IllegalArgumentException(
            "series " + series[i - 1] + " and " + series[i] + " have the same row key");
      }
    }
  }

  private boolean sameGroup(int a, int b) {
    return Arrays.equals(template(a), 0, timeOffset, template(b), 0, timeOffset);
  }

  private byte[] template(int place) {
    return templates.get(series[place]);
  }

  /** Number of rows, those without points included. */
  long rows() {
    return hours * series.length;
  }

  /** Group of a row. */
  private int group(long row) {
    // All groups have the same hours, so a group begins at hours * its first series.
    int found = Arrays.binarySearch(groups, (int) (row / hours));
    return found >= 0 ? found : -found - 2;
  }

  private long within(long row, int group) {
    return row - groups[group] * hours;
  }

  private int groupSize(int group) {
    return groups[group + 1] - groups[group];
  }

  private int series(long row) {
    int group = group(row);
    return series[groups[group] + (int) (within(row, group) % groupSize(group))];
  }

  /** Hours since the epoch. */
  private long hour(long row) {
    int group = group(row);
    return firstHour + within(row, group) / groupSize(group);
  }

  /** Row key of a row. */
  byte[] key(long row) {
    byte[] key = templates.get(series(row)).clone();
    Uids.write(hour(row) * RowKey.ROW_SPAN_SECONDS, key, timeOffset, RowKey.TIME_WIDTH);
    return key;
  }

  /** A cursor at a row; {@code row} may be the number of rows. */
  Cursor at(long row) {
    return new Cursor(row);
  }

  /** Walks row by row, without the divisions. */
  final class Cursor {
    private long row;
    private int group;
    private int place;
    private long hour;

    private Cursor(long row) {
      this.row = row;
      if (row < rows()) {
        group = RowOrder.this.group(row);
        place = groups[group] + (int) (within(row, group) % groupSize(group));
        hour = RowOrder.this.hour(row);
      }
    }

    long row() {
      return row;
    }

    int series() {
      return series[place];
    }

    long hour() {
      return hour;
    }

    void next() {
      row++;
      place++;
      if (place == groups[group + 1]) {
        place = groups[group];
        hour++;
        if (hour == firstHour + hours) {
          hour = firstHour;
          place = groups[++group];
        }
      }
    }
  }

  /** The first row whose key is not before this one. */
  long from(byte[] key) {
    long low = 0;
    long high = rows();
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(key(middle), key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
