package io.tsdbsuite.rollup.load;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.util.Pair;

/** Selects the rows of a rollup table by their base time. */
final class BaseTimes {
  /** The filter compares each row with each of its keys. */
  private static final int MAX_KEYS = 50;

  private static final byte ANY = 1;

  private BaseTimes() {}

  /**
   * A filter that skips from metric to metric. It passes all rows with rollups of the window, and
   * of many base times some rows around them.
   *
   * <pre>
   *   | salt, metric UID: any | base time: 4 bytes, or its first ones | tags
   * </pre>
   *
   * @param timeOffset bytes before the base time
   * @param from seconds since the epoch
   * @param to seconds since the epoch, exclusive
   */
  static Filter filter(int timeOffset, RollupInterval interval, long from, long to) {
    TreeSet<Long> times = new TreeSet<>();
    for (long time = from; time < to; time += interval.seconds()) {
      times.add(interval.baseTime(time));
    }
    int bytes = RowKey.TIME_WIDTH;
    while (times.size() > MAX_KEYS) {
      TreeSet<Long> shorter = new TreeSet<>();
      times.forEach(time -> shorter.add(time >>> Byte.SIZE));
      times = shorter;
      bytes--;
    }
    List<Pair<byte[], byte[]>> keys = new ArrayList<>();
    for (long time : times) {
      byte[] key = new byte[timeOffset + bytes];
      Uids.write(time, key, timeOffset, bytes);
      byte[] mask = new byte[key.length];
      Arrays.fill(mask, 0, timeOffset, ANY);
      keys.add(new Pair<>(key, mask));
    }
    return new FuzzyRowFilter(keys);
  }
}
