package io.tsdbsuite.synthetic.row;

import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.Times;
import io.tsdbsuite.synthetic.ValueGenerator;
import io.tsdbsuite.synthetic.Width;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Makes the row of a series in an hour. Not thread-safe. */
final class HourEncoder {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final SyntheticShape shape;
  private final int timeOffset;
  private final Times times;
  private final ValueGenerator source;
  private final HourPatterns patterns;
  private final PointBuffer buffer = new PointBuffer();
  private final CompactedCell[] cells = new CompactedCell[Width.COUNT];
  private long[] numbers = new long[0];
  private byte[] kinds = new byte[0];
  private byte[] values = new byte[0];

  HourEncoder(SyntheticShape shape, RowKey rowKey) {
    this.shape = shape;
    timeOffset = rowKey.timeOffset();
    times = new Times(shape);
    source = ValueGenerator.of(shape);
    patterns = new HourPatterns(shape);
  }

  /**
   * The row, null if it has no points.
   *
   * @param template row key of the series
   * @param hour hours since the epoch
   */
  @Nullable SyntheticRow encode(byte[] template, int series, long hour) {
    long first = times.before(hour);
    int n = (int) (times.before(hour + 1) - first);
    if (n == 0) {
      return null;
    }
    byte[] key = template.clone();
    Uids.write(hour * RowKey.ROW_SPAN_SECONDS, key, timeOffset, RowKey.TIME_WIDTH);
    if (n > numbers.length) {
      numbers = new long[n];
      kinds = new byte[n];
      values = new byte[(n + 1) * Long.BYTES];
    }
    source.fill(series, first, n, numbers, kinds);
    long newest = times.at(series, first + n - 1);
    if (shape.jitterMillis() > 0) {
      CompactedCell cell = late(series, hour, first, n);
      return new SyntheticRow(key, cell.qualifier(), cell.value(), n, newest);
    }
    long base = hour * SyntheticShape.ROW_SPAN_MILLIS;
    HourPattern pattern = patterns.of((int) (times.due(first) - base), n);
    int width = source.width(series, first, n);
    if (width == Width.VARIES) {
      return varied(key, pattern, n, newest);
    }
    CompactedCell cell = pattern.cell(width);
    byte[] value = cell.value().clone();
    fill(width, n, value);
    return new SyntheticRow(key, cell.qualifier().clone(), value, n, newest);
  }

  private void fill(int width, int n, byte[] out) {
    switch (width) {
      case Width.BYTE -> {
        for (int i = 0; i < n; i++) {
          out[i] = (byte) numbers[i];
        }
      }
      case Width.SHORT -> {
        for (int i = 0; i < n; i++) {
          SHORT.set(out, i * Short.BYTES, (short) numbers[i]);
        }
      }
      case Width.INT -> {
        for (int i = 0; i < n; i++) {
          INT.set(out, i * Integer.BYTES, (int) numbers[i]);
        }
      }
      case Width.FLOAT -> {
        for (int i = 0; i < n; i++) {
          INT.set(out, i * Float.BYTES, (int) Width.bits(Width.FLOAT, numbers[i], kinds[i]));
        }
      }
      default -> {
        for (int i = 0; i < n; i++) {
          LONG.set(out, i * Long.BYTES, Width.bits(width, numbers[i], kinds[i]));
        }
      }
    }
  }

  /** Takes each qualifier from the cell of its width. */
  private SyntheticRow varied(byte[] key, HourPattern pattern, int n, long newest) {
    for (int width = 0; width < Width.COUNT; width++) {
      cells[width] = pattern.cell(width);
    }
    byte[] first = cells[0].qualifier();
    int qualifierLength = first.length / n;
    byte[] qualifier = first.clone();
    int end = 0;
    for (int i = 0; i < n; i++) {
      int width = Width.of(numbers[i], kinds[i]);
      long bits = Width.bits(width, numbers[i], kinds[i]);
      // The flags are in the last byte; offsets are alike in all of these cells.
      int last = (i + 1) * qualifierLength - 1;
      qualifier[last] = cells[width].qualifier()[last];
      int length = Width.length(width);
      LONG.set(values, end, bits << (Long.SIZE - Byte.SIZE * length));
      end += length;
    }
    byte[] like = cells[0].value();
    byte[] value = new byte[end + like.length - n];
    System.arraycopy(values, 0, value, 0, end);
    System.arraycopy(like, n, value, end, like.length - n);
    return new SyntheticRow(key, qualifier, value, n, newest);
  }

  private CompactedCell late(int series, long hour, long first, int n) {
    buffer.clear();
    long base = hour * SyntheticShape.ROW_SPAN_MILLIS;
    for (int i = 0; i < n; i++) {
      int width = Width.of(numbers[i], kinds[i]);
      long bits = Width.bits(width, numbers[i], kinds[i]);
      Width.add(width, (int) (times.at(series, first + i) - base), true, bits, buffer);
    }
    return CompactedCell.encode(buffer);
  }
}
