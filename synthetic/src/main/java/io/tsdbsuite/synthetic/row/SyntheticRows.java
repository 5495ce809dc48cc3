package io.tsdbsuite.synthetic.row;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.Times;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a shape, ascending by key, encoded when they are read. Ranges can be read several
 * times and at the same time. Thread-safe; each {@link Source} is for one thread.
 */
public final class SyntheticRows {
  private final SyntheticShape shape;
  private final RowKey rowKey;
  private final List<byte[]> templates;
  private final RowOrder order;

  /**
   * @param templates row keys with a base time of 0, one for each series of the shape, in the order
   *     of their numbers
   * @throws IllegalArgumentException when there are not as many as series, or two are equal
   */
  public SyntheticRows(SyntheticShape shape, RowKey rowKey, List<byte[]> templates) {
    if (templates.size() != shape.series()) {
      throw new IllegalArgumentException(
          "row keys must be given for " + shape.series() + " series, found " + templates.size());
    }
    this.shape = shape;
    this.rowKey = rowKey;
    this.templates = List.copyOf(templates);
    order = new RowOrder(new Times(shape), rowKey, templates);
  }

  /** Number of rows. */
  public long rows() {
    return shape.intervalMillis() <= SyntheticShape.ROW_SPAN_MILLIS ? order.rows() : shape.points();
  }

  /**
   * Opens a range.
   *
   * @param from first key, inclusive; empty for the beginning
   * @param to last key, exclusive; empty for the end
   */
  public Source open(byte[] from, byte[] to) {
    return new Source(order.from(from), to.length == 0 ? order.rows() : order.from(to));
  }

  /** Keys that divide the rows into ranges of about equal size, ascending, fewer than requested. */
  public List<byte[]> cuts(int ranges) {
    long rows = order.rows();
    return LongStream.range(1, ranges)
        .map(i -> rows / ranges * i + rows % ranges * i / ranges)
        .filter(row -> row > 0)
        .distinct()
        .mapToObj(order::key)
        .toList();
  }

  /** Rows of a range. */
  public final class Source {
    private final HourEncoder encoder = new HourEncoder(shape, rowKey);
    private final RowOrder.Cursor cursor;
    private final long end;

    private Source(long from, long to) {
      cursor = order.at(from);
      end = to;
    }

    /** The next row, null at the end. */
    public @Nullable SyntheticRow next() {
      while (cursor.row() < end) {
        int series = cursor.series();
        SyntheticRow row = encoder.encode(templates.get(series), series, cursor.hour());
        cursor.next();
        if (row != null) {
          return row;
        }
      }
      return null;
    }
  }
}
