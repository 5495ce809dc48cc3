package io.tsdbsuite.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Adds one broken cell to a row. */
final class CellCorruptor {
  private final Random random;
  private final RowGenerator.Draft draft;

  CellCorruptor(Random random, RowGenerator.Draft draft) {
    this.random = random;
    this.draft = draft;
  }

  void add(Corruption corruption) {
    String name = "CORRUPT " + corruption;
    switch (corruption) {
      case EMPTY_QUALIFIER -> draft.put(new byte[0], new byte[] {1}, name);
      case CUT_MILLIS_QUALIFIER ->
          draft.put(new byte[] {(byte) (0xf0 + random.nextInt(16)), 0}, new byte[] {1}, name);
      case CUT_MILLIS_IN_COMPACTED -> {
        List<RawPoint> points = seconds(2);
        draft.put(
            RawPoint.join(RowGenerator.qualifiers(points), new byte[] {(byte) 0xf0, 0}),
            RawPoint.join(RowGenerator.values(points), new byte[] {1, 0}),
            name);
      }
      case ODD_APPEND_QUALIFIER ->
          draft.put(
              random.nextBoolean() ? new byte[] {5} : new byte[] {5, 0, 0, 0, 0},
              new byte[] {0, 0, 1},
              name);
      case SECONDS_OUT_OF_ROW ->
          point(point(3_600_000 + 1000 * random.nextInt(240), false, false, 1), name);
      case MILLIS_OUT_OF_ROW ->
          point(point(3_600_000 + random.nextInt(500_000), true, false, 1), name);
      case INTEGER_WIDTH -> {
        int[] widths = {3, 5, 6, 7};
        point(point(offset(), false, false, widths[random.nextInt(4)]), name);
      }
      case FLOAT_WIDTH -> {
        int[] widths = {1, 2, 3, 5, 6, 7};
        point(point(offset(), random.nextBoolean(), true, widths[random.nextInt(6)]), name);
      }
      case HISTORIC_FLOAT ->
          draft.put(
              point(offset(), false, true, 4).qualifier(),
              new byte[] {0, 0, 0, 1, 0x3f, (byte) 0xc0, 0, 0},
              name);
      case LONG_MILLIS_VALUE -> {
        RawPoint point = point(offset(), true, false, 4);
        draft.put(point.qualifier(2), point.value(), name);
      }
      case TRUNCATED_APPEND -> {
        RawPoint point = point(offset(), random.nextBoolean(), false, 4);
        byte[] value = RawPoint.join(point.qualifier(), point.value());
        int cut = 1 + random.nextInt(value.length - 1);
        draft.put(new byte[] {5, 0, 0}, java.util.Arrays.copyOf(value, cut), name);
      }
      case EMPTY_VALUE ->
          draft.put(point(offset(), false, false, 1).qualifier(), new byte[0], name);
      default -> compacted(corruption, name);
    }
  }

  private void compacted(Corruption corruption, String name) {
    List<RawPoint> points = seconds(3 + random.nextInt(5));
    int last = points.size() - 1;
    switch (corruption) {
      case CUT_BETWEEN_POINTS -> cut(points, 2 * 2, name);
      case CUT_INSIDE_POINT -> cut(points, 1 + 2 * random.nextInt(last), name);
      case EXTRA_BYTES -> put(points, RawPoint.join(values(points), new byte[] {9, 9, 0}), name);
      case UNSORTED_POINTS -> {
        RawPoint first = points.get(0);
        points.set(0, points.get(last));
        points.set(last, first);
        put(points, RawPoint.join(values(points), new byte[1]), name);
      }
      case DUPLICATE_POINTS -> {
        points.add(1 + random.nextInt(last), points.get(0));
        points.sort(java.util.Comparator.comparingInt(RawPoint::offset));
        put(points, RawPoint.join(values(points), new byte[1]), name);
      }
      default -> throw new IllegalArgumentException("no such corruption: " + corruption);
    }
  }

  /** Removes this many bytes from the end. */
  private void cut(List<RawPoint> points, int bytes, String name) {
    byte[] value = values(points);
    put(points, java.util.Arrays.copyOf(value, value.length - bytes), name);
  }

  private void put(List<RawPoint> points, byte[] value, String name) {
    draft.put(RowGenerator.qualifiers(points), value, name);
  }

  private static byte[] values(List<RawPoint> points) {
    return RowGenerator.values(points);
  }

  /** Encodes the point in a single, a compacted or an append cell. */
  private void point(RawPoint point, String name) {
    byte[] first = {0, 0};
    switch (random.nextInt(3)) {
      case 0 -> draft.put(point.qualifier(), point.value(), name);
      case 1 ->
          draft.put(
              RawPoint.join(first, point.qualifier()),
              RawPoint.join(new byte[] {1}, point.value(), new byte[1]),
              name);
      default ->
          draft.put(new byte[] {5, 0, 0}, RawPoint.join(point.qualifier(), point.value()), name);
    }
  }

  private static RawPoint point(int offset, boolean millis, boolean isFloat, int width) {
    return new RawPoint(offset, millis, isFloat, RawPoint.ofWidth(7, width));
  }

  /** A second that no other point of the row uses. */
  private int offset() {
    return 1000 + 1000 * random.nextInt(3599);
  }

  /** Points in seconds, in ascending order, with values of two bytes. */
  private List<RawPoint> seconds(int n) {
    int[] offsets = random.ints(0, 3600).distinct().limit(n).sorted().toArray();
    List<RawPoint> points = new ArrayList<>();
    for (int offset : offsets) {
      points.add(point(offset * 1000, false, false, 2));
    }
    return points;
  }
}
