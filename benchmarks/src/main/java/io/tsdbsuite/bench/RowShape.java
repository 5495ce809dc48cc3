package io.tsdbsuite.bench;

import io.tsdbsuite.format.row.AppendCell;
import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.PointBuffer;
import java.util.Random;

/** Shapes of measured rows. Half of the values are integers of 1 or 2 bytes, half are floats. */
public enum RowShape {
  /** A TSD without compaction: a cell for each point, one a minute. */
  S1_SINGLE_60("one cell per point", 60, Layout.SINGLE),
  /** A point each second, compacted. */
  S2_COMPACTED_3600("compacted", 3600, Layout.COMPACTED),
  /** A point each minute, compacted. */
  S3_COMPACTED_60("compacted", 60, Layout.COMPACTED),
  /** A TSD with appends, one point a minute. */
  S4_APPEND_60("append cell", 60, Layout.APPEND),
  /** A TSD with appends, four points a minute. */
  S4_APPEND_240("append cell", 240, Layout.APPEND);

  private enum Layout {
    SINGLE,
    COMPACTED,
    APPEND
  }

  /** Two are widths of integers, two are floats. */
  private static final int TYPES = 4;

  private final String description;
  private final int points;
  private final Layout layout;

  RowShape(String description, int points, Layout layout) {
    this.description = description;
    this.points = points;
    this.layout = layout;
  }

  /** The kind of its cells, for tables. */
  public String description() {
    return description;
  }

  /** Points in a row. */
  public int points() {
    return points;
  }

  /** A row of this shape, integers and floats mixed. */
  public BenchRow row(Random random) {
    BenchRow row = new BenchRow();
    PointBuffer points = new PointBuffer(this.points);
    for (int i = 0; i < this.points; i++) {
      add(points, i * (3600 / this.points) * 1000, random.nextInt(TYPES), random);
      if (layout == Layout.SINGLE) {
        row.add(CompactedCell.encode(points));
        points.clear();
      }
    }
    if (layout == Layout.COMPACTED) {
      row.add(CompactedCell.encode(points));
    } else if (layout == Layout.APPEND) {
      row.add(AppendCell.qualifier(), AppendCell.encode(points));
    }
    return row;
  }

  private static void add(PointBuffer points, int offsetMillis, int type, Random random) {
    switch (type) {
      case 0 -> points.addInteger(offsetMillis, false, random.nextInt(1 << 7));
      case 1 -> points.addInteger(offsetMillis, false, (1 << 7) + random.nextInt(1 << 14));
      default -> points.addFloat(offsetMillis, false, random.nextFloat() * 1000);
    }
  }
}
