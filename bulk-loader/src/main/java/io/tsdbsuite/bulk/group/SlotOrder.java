package io.tsdbsuite.bulk.group;

import java.util.Arrays;

/**
 * The slots whose series have row keys, in the order of their row keys. It sorts one number of at
 * most 63 bits for each slot:
 *
 * <pre>
 *   | salt and metric | hour | series in its metric | slot |       each field has the fewest bits
 * </pre>
 *
 * <p>If the fields need more than 63 bits, the number has no slot, and {@link HourTable} looks up
 * the slot by series and hour.
 */
final class SlotOrder {
  /** Maximum number of series: with it, the fields without the slot always fit in 63 bits. */
  static final int MAX_SERIES = 1 << 21;

  private static final int MOST_BITS = 63;

  private final HourTable hours;
  private final SeriesList series;
  private final int firstHour;
  private final int hourBits;
  private final int placeBits;
  private final int slotBits;
  private final long[] keys;
  private final int[] batch = new int[HourTable.TOUCH];
  private int ahead;

  SlotOrder(HourTable hours, SeriesList series) {
    this(hours, series, MOST_BITS);
  }

  /**
   * @param mostBits limit of a number with its slot, bits; above it, numbers have no slot
   */
  SlotOrder(HourTable hours, SeriesList series, int mostBits) {
    this.hours = hours;
    this.series = series;
    int n = hours.size();
    int first = Integer.MAX_VALUE;
    int last = 0;
    int kept = 0;
    for (int slot = 0; slot < n; slot++) {
      if (series.hasRow(hours.series(slot))) {
        first = Math.min(first, hours.hour(slot));
        last = Math.max(last, hours.hour(slot));
        kept++;
      }
    }
    firstHour = first;
    hourBits = bits(last - (long) first + 1);
    placeBits = bits(series.places());
    int withSlots = bits(series.groups()) + hourBits + placeBits + bits(n);
    slotBits = withSlots > mostBits ? 0 : bits(n);
    keys = new long[kept];
    fill(withSlots <= mostBits);
    Arrays.sort(keys);
  }

  private void fill(boolean withSlots) {
    int i = 0;
    for (int slot = 0; slot < hours.size(); slot++) {
      if (series.hasRow(hours.series(slot))) {
        SeriesRow row = series.row(hours.series(slot));
        long key = ((long) row.group << hourBits) | (hours.hour(slot) - firstHour);
        key = (key << placeBits) | row.place;
        keys[i++] = (key << slotBits) | (withSlots ? slot : 0);
      }
    }
  }

  /** Number of slots. */
  int size() {
    return keys.length;
  }

  /** Returns the slot at position {@code i}, from 0. Callers pass positions in ascending order. */
  int slot(int i) {
    if (i >= ahead) {
      lookAhead(i);
    }
    return batch[i & (HourTable.TOUCH - 1)];
  }

  private void lookAhead(int from) {
    int n = Math.min(HourTable.TOUCH, keys.length - from);
    for (int i = 0; i < n; i++) {
      batch[i] = find(from + i);
    }
    hours.touch(batch, n);
    ahead = from + n;
  }

  private int find(int i) {
    long key = keys[i];
    if (slotBits > 0) {
      return (int) (key & ((1L << slotBits) - 1));
    }
    int place = (int) (key & ((1L << placeBits) - 1));
    int hour = (int) ((key >>> placeBits) & ((1L << hourBits) - 1));
    int group = (int) (key >>> (placeBits + hourBits));
    return hours.slot(series.at(group, place).series, firstHour + hour);
  }

  private static int bits(long count) {
    return count <= 1 ? 0 : 64 - Long.numberOfLeadingZeros(count - 1);
  }
}
