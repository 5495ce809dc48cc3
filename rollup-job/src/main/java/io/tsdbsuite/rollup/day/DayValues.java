package io.tsdbsuite.rollup.day;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of the points of a day for each series of a {@link DayTable}, for aggregators that
 * need all of them: one block for each hour of a series with points, so that a bucket of some hours
 * is a range of blocks.
 *
 * <pre>
 *   blocks   [ 24 of series 0 | 24 of series 1 | ... ]     null: an hour without points
 *   block    float[] if all of its values are exact as floats, else double[]; in time order
 * </pre>
 *
 * Their memory counts as that of the table. For one thread.
 */
public final class DayValues {
  private static final int HOURS = 24;
  private static final int ARRAY_HEADER = 16;
  private static final int REFERENCE = 8;
  private static final int LARGEST = (Integer.MAX_VALUE - 8) / HOURS;

  private final DayTable table;
  private @Nullable Object[] blocks = {};

  /** Values of a bucket. */
  private double[] copied = {};

  /**
   * @param table of the series
   */
  public DayValues(DayTable table) {
    this.table = table;
  }

  /** Removes all values; call with {@link DayTable#clear}. */
  public void clear() {
    if (blocks.length > 0) {
      blocks = new Object[0];
      copied = new double[0];
    }
  }

  /**
   * Keeps the values of an hour of a series.
   *
   * @param series of the table
   * @param hour of the day, 0..23; each once
   * @param values the first {@code length}, at least one, are copied
   * @return whether there was memory for them
   */
  public boolean add(int series, int hour, double[] values, int length) {
    if (HOURS * (series + 1L) > blocks.length && !moreSeries(series)) {
      return false;
    }
    boolean floats = true;
    for (int i = 0; i < length && floats; i++) {
      floats = (float) values[i] == values[i];
    }
    if (!table.reserve(ARRAY_HEADER + (long) length * (floats ? Float.BYTES : Double.BYTES))) {
      return false;
    }
    if (floats) {
      float[] block = new float[length];
      for (int i = 0; i < length; i++) {
        block[i] = (float) values[i];
      }
      blocks[HOURS * series + hour] = block;
    } else {
      blocks[HOURS * series + hour] = Arrays.copyOf(values, length);
    }
    return true;
  }

  private boolean moreSeries(int series) {
    long wanted = Math.min(LARGEST, series + 16L + (series >> 1));
    // Both arrays are there until all is copied.
    if (wanted <= series || !table.reserve(wanted * HOURS * REFERENCE)) {
      return false;
    }
    table.release((long) blocks.length * REFERENCE);
    blocks = Arrays.copyOf(blocks, (int) wanted * HOURS);
    return true;
  }

  /**
   * Copies the values of some hours of a series.
   *
   * @return an array with the values from 0 on, valid until the next call; null if there is no
   *     memory for it
   */
  public double @Nullable [] copy(int series, int fromHour, int toHour) {
    int length = length(series, fromHour, toHour);
    if (copied.length < length) {
      if (!table.reserve((long) (length - copied.length) * Double.BYTES)) {
        return null;
      }
      copied = new double[length];
    }
    double[] values = copied;
    int at = 0;
    for (int hour = fromHour; hour < toHour; hour++) {
      Object block = block(series, hour);
      if (block instanceof float[] floats) {
        for (float value : floats) {
          values[at++] = value;
        }
      } else if (block instanceof double[] doubles) {
        System.arraycopy(doubles, 0, values, at, doubles.length);
        at += doubles.length;
      }
    }
    return values;
  }

  /** The number of values of some hours of a series. */
  public int length(int series, int fromHour, int toHour) {
    int length = 0;
    for (int hour = fromHour; hour < toHour; hour++) {
      Object block = block(series, hour);
      if (block instanceof float[] floats) {
        length += floats.length;
      } else if (block instanceof double[] doubles) {
        length += doubles.length;
      }
    }
    return length;
  }

  private @Nullable Object block(int series, int hour) {
    int at = HOURS * series + hour;
    return at < blocks.length ? blocks[at] : null;
  }
}
