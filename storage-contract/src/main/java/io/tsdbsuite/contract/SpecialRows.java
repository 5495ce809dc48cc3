package io.tsdbsuite.contract;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Valid rows of forms that {@link RowGenerator#good} rarely generates, without repeated instants.
 * The same seed generates the same rows.
 */
public final class SpecialRows {
  /**
   * The number of cells in a batch of an asynchbase scanner; a TSD merges a larger row batch by
   * batch.
   */
  public static final int SCANNER_CELLS = 4096;

  private static final byte[] APPEND = {5, 0, 0};
  private static final int FIRST_MARK = 80;
  private static final int AFTER_MARK = 96;

  private final Random random;
  private final RowGenerator generator;

  /** A generator of the rows of this seed. */
  public SpecialRows(long seed) {
    random = new Random(seed);
    generator = new RowGenerator(seed);
  }

  /**
   * A row whose cells begin with a point of the seconds 80 to 95, so that their qualifiers begin
   * with 05, the prefix of append columns. The row has compacted cells with and without their last
   * byte, also of two points, and single cells, and possibly a real append column, annotations and
   * histograms. {@code Internal.extractDataPoints} misreads such cells, a query does not.
   */
  public GeneratedRow markedAsAppend() {
    RowGenerator.Draft draft = generator.new Draft();
    int[] starts = random.ints(FIRST_MARK, AFTER_MARK).distinct().limit(4).toArray();
    List<RawPoint> later = later(60);
    int cells = 1 + random.nextInt(4);
    for (int i = 0; i < cells; i++) {
      RawPoint first = RawPoint.random(random, starts[i] * 1000, false);
      int more =
          switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> 1;
            default -> 2 + random.nextInt(10);
          };
      cell(first, take(later, more), draft);
    }
    if (random.nextInt(3) == 0) {
      append(take(later, 1 + random.nextInt(8)), draft);
    }
    take(later, random.nextInt(4))
        .forEach(point -> draft.put(point.qualifier(), point.value(), "single"));
    if (random.nextBoolean()) {
      generator.others(draft);
    }
    return generator.finish(draft, null);
  }

  /** Points of different seconds after 95 s, in seconds and in milliseconds, in any order. */
  private List<RawPoint> later(int n) {
    List<RawPoint> points = new ArrayList<>();
    random
        .ints(AFTER_MARK, 3600)
        .distinct()
        .limit(n)
        .forEach(
            second -> {
              boolean millis = random.nextInt(3) == 0;
              int offset = second * 1000 + (millis ? random.nextInt(1000) : 0);
              points.add(RawPoint.random(random, offset, millis));
            });
    return points;
  }

  private static List<RawPoint> take(List<RawPoint> from, int n) {
    List<RawPoint> head = from.subList(0, n);
    List<RawPoint> taken = new ArrayList<>(head);
    head.clear();
    return taken;
  }

  private void cell(RawPoint first, List<RawPoint> others, RowGenerator.Draft draft) {
    List<RawPoint> points = new ArrayList<>(others);
    points.sort(Comparator.comparingInt(RawPoint::offset));
    points.add(0, first);
    byte[] value = RowGenerator.values(points);
    boolean lastByte = points.size() > 1 && random.nextBoolean();
    draft.put(
        RowGenerator.qualifiers(points),
        lastByte ? RawPoint.join(value, RowGenerator.lastByte(points)) : value,
        points.size() + " from 80..95 s" + (lastByte ? "" : ", no last byte"));
  }

  private static void append(List<RawPoint> points, RowGenerator.Draft draft) {
    byte[] value =
        RawPoint.join(
            points.stream()
                .map(point -> RawPoint.join(point.qualifier(), point.value()))
                .toArray(byte[][]::new));
    draft.put(APPEND, value, "append out of order");
  }

  /**
   * A row of more cells than {@link #SCANNER_CELLS}: either seconds and milliseconds, which
   * alternate in time but are separate in HBase's order, or milliseconds only; with compacted and
   * append cells over the whole hour between them.
   */
  public GeneratedRow large() {
    RowGenerator.Draft draft = generator.new Draft();
    int seconds = random.nextBoolean() ? 1500 + random.nextInt(1500) : 0;
    List<RawPoint> points = new ArrayList<>();
    random
        .ints(0, 3600)
        .distinct()
        .limit(seconds)
        .forEach(second -> points.add(RawPoint.random(random, second * 1000, false)));
    random
        .ints(0, 3_600_000)
        .filter(offset -> offset % 1000 != 0)
        .distinct()
        .limit(SCANNER_CELLS + 200 - seconds + random.nextInt(1000))
        .forEach(offset -> points.add(RawPoint.random(random, offset, true)));
    Collections.shuffle(points, random);
    List<RawPoint> compacted = take(points, 100);
    compacted.sort(Comparator.comparingInt(RawPoint::offset));
    draft.put(
        RowGenerator.qualifiers(compacted),
        RawPoint.join(RowGenerator.values(compacted), RowGenerator.lastByte(compacted)),
        "compacted");
    append(take(points, 50), draft);
    points.forEach(
        point ->
            draft.put(
                point.qualifier(),
                point.value(),
                "thousands in " + (point.millis() ? "milliseconds" : "seconds")));
    generator.others(draft);
    return generator.finish(draft, null);
  }
}
