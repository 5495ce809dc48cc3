package io.tsdbsuite.rollup.message;

import io.tsdbsuite.rollup.uid.ByteSlice;
import java.util.Arrays;

/**
 * The rollup of one series over one interval, reusable: one object per thread, filled row by row.
 *
 * <pre>
 *   point.clear();
 *   names.lookup(METRIC, uid, point.metric());
 *   int tag = point.addTag();
 *   names.lookup(TAGK, uid, point.tagKey(tag));
 *   names.lookup(TAGV, uid, point.tagValue(tag));
 *   point.sortTags();
 *   point.set(timestamp, "1h", sum, min, max, count);
 * </pre>
 *
 * <p>Names are ISO-8859-1 bytes that belong to somebody else.
 */
public final class RollupPoint {
  private final ByteSlice metric = new ByteSlice();
  private ByteSlice[] keys = new ByteSlice[0];
  private ByteSlice[] values = new ByteSlice[0];
  private int tags;
  private byte[] rowArray = new byte[0];
  private int rowOffset;
  private int rowLength;
  private long timestamp;
  private String interval = "";
  private double sum;
  private double min;
  private double max;
  private long count;

  /** An empty point. */
  public RollupPoint() {}

  /** Forgets the names of the series; the slices stay, to be filled again. */
  public void clear() {
    tags = 0;
  }

  /**
   * Sets the row of the data table that the points are of, which names the series by its UIDs; of a
   * rollup of several rows, one of them. Belongs to somebody else.
   */
  public void row(byte[] array, int offset, int length) {
    rowArray = array;
    rowOffset = offset;
    rowLength = length;
  }

  /** The array that has the row key. */
  public byte[] rowArray() {
    return rowArray;
  }

  /** Where the row key begins. */
  public int rowOffset() {
    return rowOffset;
  }

  /** Length of the row key, bytes. */
  public int rowLength() {
    return rowLength;
  }

  /** The metric's name, to be filled or read. */
  public ByteSlice metric() {
    return metric;
  }

  /** Makes room for one more tag and returns its index. */
  public int addTag() {
    if (tags == keys.length) {
      int room = tags + 8;
      keys = Arrays.copyOf(keys, room);
      values = Arrays.copyOf(values, room);
      for (int i = tags; i < room; i++) {
        keys[i] = new ByteSlice();
        values[i] = new ByteSlice();
      }
    }
    return tags++;
  }

  /** Number of tags. */
  public int tags() {
    return tags;
  }

  /** A tag's key, to be filled or read; 0 &lt;= tag &lt; {@link #tags()}. */
  public ByteSlice tagKey(int tag) {
    return keys[tag];
  }

  /** A tag's value, to be filled or read; 0 &lt;= tag &lt; {@link #tags()}. */
  public ByteSlice tagValue(int tag) {
    return values[tag];
  }

  /**
   * Sorts the tags by the bytes of their keys. Compulsory before the point is emitted: row keys are
   * sorted by UIDs, which differ from cluster to cluster.
   */
  public void sortTags() {
    // A handful of tags: insertion sort.
    for (int i = 1; i < tags; i++) {
      ByteSlice key = keys[i];
      ByteSlice value = values[i];
      int j = i;
      for (; j > 0 && ByteSlice.compare(keys[j - 1], key) > 0; j--) {
        keys[j] = keys[j - 1];
        values[j] = values[j - 1];
      }
      keys[j] = key;
      values[j] = value;
    }
  }

  /**
   * Sets what was aggregated.
   *
   * @param timestamp start of the interval, seconds since the epoch, UTC
   * @param interval width of the interval as rollup_config.json writes it, for example {@code 1h}
   * @param sum sum of the points as doubles
   * @param min smallest of the points
   * @param max largest of the points
   * @param count number of points, at least 1
   */
  public void set(long timestamp, String interval, double sum, double min, double max, long count) {
    this.timestamp = timestamp;
    this.interval = interval;
    this.sum = sum;
    this.min = min;
    this.max = max;
    this.count = count;
  }

  /**
   * Says that the interval has no point any more, so that what is stored for it must go.
   *
   * @param timestamp as for {@link #set}
   * @param interval as for {@link #set}
   */
  public void takeBack(long timestamp, String interval) {
    set(timestamp, interval, 0, 0, 0, 0);
  }

  /** Whether the interval has no point any more. */
  public boolean isTakenBack() {
    return count == 0;
  }

  /** Start of the interval, seconds since the epoch, UTC. */
  public long timestamp() {
    return timestamp;
  }

  /** Width of the interval, for example {@code 1h}. */
  public String interval() {
    return interval;
  }

  /** Sum of the points. */
  public double sum() {
    return sum;
  }

  /** Smallest of the points. */
  public double min() {
    return min;
  }

  /** Largest of the points. */
  public double max() {
    return max;
  }

  /** Number of points. */
  public long count() {
    return count;
  }

  /**
   * Whether sum, min and max are numbers that JSON and a TSD can hold. A row for which this is
   * false (points that are NaN, or a sum beyond the range of a double) can't be emitted.
   */
  public boolean isFinite() {
    return Double.isFinite(sum) && Double.isFinite(min) && Double.isFinite(max);
  }

  /** The series and the values, for messages and tests. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(metric).append('{');
    for (int i = 0; i < tags; i++) {
      text.append(i == 0 ? "" : ",").append(keys[i]).append('=').append(values[i]);
    }
    return text.append("} ")
        .append(interval)
        .append(' ')
        .append(timestamp)
        .append(" sum=")
        .append(sum)
        .append(" min=")
        .append(min)
        .append(" max=")
        .append(max)
        .append(" count=")
        .append(count)
        .toString();
  }
}
