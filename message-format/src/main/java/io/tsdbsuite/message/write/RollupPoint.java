package io.tsdbsuite.message.write;

import java.util.Arrays;

/**
 * The rollup of one series over one interval. Reusable: one object per thread, filled row by row.
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
 * <p>The names are slices of arrays that the point does not own, in ISO-8859-1.
 */
public final class RollupPoint {
  private final ByteSlice metric = new ByteSlice();
  private ByteSlice[] keys = new ByteSlice[0];
  private ByteSlice[] values = new ByteSlice[0];
  private int tags;
  private byte[] rowArray = new byte[0];
  private int rowOffset;
  private int rowLength;
  private int rowTimeOffset;
  private long timestamp;
  private String interval = "";
  private final RollupValues rollup = new RollupValues();

  /** Creates an empty point. */
  public RollupPoint() {}

  /** Removes all tags; their slices are reused. */
  public void clear() {
    tags = 0;
  }

  /**
   * Sets the row of the data table that holds the points, whose key names the series by its UIDs;
   * for a rollup of several rows, one of them. The array is not copied. Not part of any message.
   *
   * @param timeOffset bytes of the row key before its base time
   */
  public void row(byte[] array, int offset, int length, int timeOffset) {
    rowArray = array;
    rowOffset = offset;
    rowLength = length;
    rowTimeOffset = timeOffset;
  }

  /** The array that holds the row key. */
  public byte[] rowArray() {
    return rowArray;
  }

  /** Index of the row key's first byte. */
  public int rowOffset() {
    return rowOffset;
  }

  /** Length of the row key, bytes. */
  public int rowLength() {
    return rowLength;
  }

  /** Bytes of the row key before its base time. */
  public int rowTimeOffset() {
    return rowTimeOffset;
  }

  /** The metric's name; set it through the slice. */
  public ByteSlice metric() {
    return metric;
  }

  /** Adds a tag and returns its index; set key and value through their slices. */
  public int addTag() {
    if (tags == keys.length) {
      int capacity = tags + 8;
      keys = Arrays.copyOf(keys, capacity);
      values = Arrays.copyOf(values, capacity);
      for (int i = tags; i < capacity; i++) {
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

  /** Key of a tag; 0 &lt;= tag &lt; {@link #tags()}. */
  public ByteSlice tagKey(int tag) {
    return keys[tag];
  }

  /** Value of a tag; 0 &lt;= tag &lt; {@link #tags()}. */
  public ByteSlice tagValue(int tag) {
    return values[tag];
  }

  /**
   * Sorts the tags by the bytes of their keys. Required before the point is emitted: row keys are
   * sorted by UIDs, which differ between clusters.
   */
  public void sortTags() {
    // Insertion sort: a series has few tags.
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
   * Sets time and interval; {@link #rollup} receives the values.
   *
   * @param timestamp start of the interval, seconds since the epoch, UTC
   * @param interval width of the interval as rollup_config.json writes it, for example {@code 1h}
   */
  public void set(long timestamp, String interval) {
    this.timestamp = timestamp;
    this.interval = interval;
  }

  /**
   * Sets a rollup of the four values.
   *
   * @param timestamp as for {@link #set(long, String)}
   * @param interval as for {@link #set(long, String)}
   * @param sum sum of the points as doubles
   * @param min smallest of the points
   * @param max largest of the points
   * @param count number of points, at least 1
   */
  public void set(long timestamp, String interval, double sum, double min, double max, long count) {
    set(timestamp, interval);
    rollup.set(sum, min, max, count);
  }

  /**
   * Marks the rollup as deleted: the interval has no points left, and stored values are deleted.
   *
   * @param timestamp as for {@link #set(long, String)}
   * @param interval as for {@link #set(long, String)}
   */
  public void takeBack(long timestamp, String interval) {
    set(timestamp, interval);
    rollup.clear();
  }

  /** Start of the interval, seconds since the epoch, UTC. */
  public long timestamp() {
    return timestamp;
  }

  /** Width of the interval, for example {@code 1h}. */
  public String interval() {
    return interval;
  }

  /** The values, which the caller may set. */
  public RollupValues rollup() {
    return rollup;
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
        .append(' ')
        .append(rollup)
        .toString();
  }
}
