package io.tsdbsuite.bulk.generate;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.row.Rows;
import io.tsdbsuite.format.row.RowKey;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The rows of a shape, made when they are asked for. Nobody has read their points before, so the
 * sources count them as read. Safe to share; each source is for one thread.
 */
public final class SyntheticRows implements Rows {
  private final SyntheticShape shape;
  private final RowKey rowKey;
  private final List<byte[]> templates;
  private final RowOrder order;

  /**
   * @param templates row keys with a base time of 0, one for each series of the shape, in the order
   *     of {@link SyntheticNames#all()}
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

  @Override
  public RowSource open(byte[] from, byte[] to) {
    return new Source(order.from(from), to.length == 0 ? order.rows() : order.from(to));
  }

  @Override
  public List<byte[]> cuts(int ranges) {
    long rows = order.rows();
    return LongStream.range(1, ranges)
        .map(i -> rows / ranges * i + rows % ranges * i / ranges)
        .filter(row -> row > 0)
        .distinct()
        .mapToObj(order::key)
        .toList();
  }

  private final class Source implements RowSource {
    private final HourEncoder encoder = new HourEncoder(shape, rowKey);
    private final RowOrder.Cursor cursor;
    private final long end;
    private long points;

    private Source(long from, long to) {
      cursor = order.at(from);
      end = to;
    }

    @Override
    public EncodedRow next() {
      while (cursor.row() < end) {
        int series = cursor.series();
        EncodedRow made = encoder.encode(templates.get(series), series, cursor.hour());
        cursor.next();
        if (made != null) {
          points += made.points();
          return made;
        }
      }
      return null;
    }

    @Override
    public Tally drain() {
      Tally tally = new Tally();
      tally.add(Count.POINTS_READ, points);
      points = 0;
      return tally;
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }
}
