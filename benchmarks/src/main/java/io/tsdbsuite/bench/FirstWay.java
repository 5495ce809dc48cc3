package io.tsdbsuite.bench;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The baseline: a straightforward reader of the same rows. It copies qualifiers and values, creates
 * an object for each point, finds duplicates with a map and aggregates with the JDK's statistics.
 * It applies all rules that these rows need, but makes no checks.
 */
public final class FirstWay {
  private FirstWay() {}

  /** The cells of a row. */
  public interface Cells {
    /** Number of cells. */
    int cells();

    /** A copy of a cell's qualifier. */
    byte[] cloneQualifier(int cell);

    /** A copy of a cell's value. */
    byte[] cloneValue(int cell);

    /** HBase timestamp of a cell, milliseconds since the epoch. */
    long timestamp(int cell);
  }

  /** A point of a cell. */
  private record Point(int offsetMillis, double value, long cellTimestamp) {}

  /** Sum, minimum, maximum and count of a row. */
  public static DoubleSummaryStatistics summarise(Cells row) {
    Map<Integer, Point> byOffset = new HashMap<>();
    for (int i = 0; i < row.cells(); i++) {
      for (Point point : points(row.cloneQualifier(i), row.cloneValue(i), row.timestamp(i))) {
        byOffset.merge(
            point.offsetMillis(), point, (a, b) -> b.cellTimestamp() > a.cellTimestamp() ? b : a);
      }
    }
    return byOffset.values().stream().mapToDouble(Point::value).summaryStatistics();
  }

  private static List<Point> points(byte[] qualifier, byte[] value, long cellTimestamp) {
    List<Point> points = new ArrayList<>();
    ByteBuffer values = ByteBuffer.wrap(value);
    if (qualifier.length == 3 && qualifier[0] == 5) {
      while (values.hasRemaining()) {
        points.add(point(values, values, cellTimestamp));
      }
    } else {
      ByteBuffer qualifiers = ByteBuffer.wrap(qualifier);
      while (qualifiers.hasRemaining()) {
        points.add(point(qualifiers, values, cellTimestamp));
      }
    }
    return points;
  }

  private static Point point(ByteBuffer qualifiers, ByteBuffer values, long cellTimestamp) {
    boolean millis = (qualifiers.get(qualifiers.position()) & 0xf0) == 0xf0;
    int bits = millis ? qualifiers.getInt() : qualifiers.getShort() & 0xffff;
    int offset = millis ? (bits & 0x0fffffff) >>> 6 : (bits >>> 4) * 1000;
    boolean isFloat = (bits & 8) != 0;
    int length = (bits & 7) + 1;
    return new Point(offset, value(values, isFloat, length), cellTimestamp);
  }

  private static double value(ByteBuffer values, boolean isFloat, int length) {
    return switch (length) {
      case 1 -> values.get();
      case 2 -> values.getShort();
      case 4 -> isFloat ? values.getFloat() : values.getInt();
      default -> isFloat ? values.getDouble() : values.getLong();
    };
  }
}
