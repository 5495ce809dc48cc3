package io.tsdbsuite.synthetic.row;

import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.synthetic.Width;

/**
 * The cells of an hour whose times are known and whose values are not: for each width one cell with
 * zeros. All hours with the same offsets are copies of it.
 */
final class HourPattern {
  private final int first;
  private final long interval;
  private final int points;
  private final boolean millis;
  private final CompactedCell[] cells = new CompactedCell[Width.COUNT];

  /**
   * @param first offset of the first point, ms
   * @param interval from point to point, ms
   */
  HourPattern(int first, long interval, int points, boolean millis) {
    this.first = first;
    this.interval = interval;
    this.points = points;
    this.millis = millis;
  }

  boolean is(int firstOffset, int howMany) {
    return first == firstOffset && points == howMany;
  }

  /** The cell with values of this width; not to be changed. */
  CompactedCell cell(int width) {
    CompactedCell cell = cells[width];
    if (cell == null) {
      PointBuffer buffer = new PointBuffer(points);
      for (int i = 0; i < points; i++) {
        Width.add(width, (int) (first + i * interval), millis, 0, buffer);
      }
      cell = CompactedCell.encode(buffer);
      cells[width] = cell;
    }
    return cell;
  }
}
