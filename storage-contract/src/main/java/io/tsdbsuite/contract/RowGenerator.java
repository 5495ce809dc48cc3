package io.tsdbsuite.contract;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Generates rows of the data table in every known form: single, compacted and append cells, both
 * resolutions, all types and widths, duplicates, annotations, histograms, historic wrong lengths,
 * and optionally one corruption. The same seed generates the same rows.
 *
 * <p>Two cells with the same instant never have the same timestamp, because OpenTSDB has no defined
 * winner then. No value is NaN or infinite.
 */
public final class RowGenerator {
  private static final int[] EDGES = {
    0, 1000, 80_000, 81_000, 87_000, 95_000, 96_000, 3_598_000, 3_599_000
  };
  private static final int LAST_MILLIS = 3_599_999;

  private final Random random;

  /** A generator of the rows of this seed. */
  public RowGenerator(long seed) {
    random = new Random(seed);
  }

  /** A valid row; it may have different duplicates. */
  public GeneratedRow good() {
    return row(null);
  }

  /** A row with this corruption in one of its cells; the other cells are valid. */
  public GeneratedRow corrupted(Corruption corruption) {
    return row(corruption);
  }

  private GeneratedRow row(@Nullable Corruption corruption) {
    Draft draft = new Draft();
    boolean lonely = corruption != null && random.nextInt(3) == 0;
    List<RawPoint> points = lonely ? List.of() : points();
    spread(points, draft);
    if (!points.isEmpty()) {
      duplicates(points, draft);
    }
    if (random.nextInt(4) == 0) {
      others(draft);
    }
    if (corruption != null) {
      new CellCorruptor(random, draft).add(corruption);
    }
    return finish(draft, corruption);
  }

  /**
   * A row of these cells at a random hour from 2001 to 2106, which includes times beyond 2^31
   * seconds.
   */
  GeneratedRow finish(Draft draft, @Nullable Corruption corruption) {
    long hour = 280_000L + random.nextInt(913_000);
    return new GeneratedRow(hour * 3600, draft.cells(), corruption, draft.description());
  }

  /** Points of different instants, in ascending order. */
  private List<RawPoint> points() {
    int resolution = random.nextInt(4); // 0, 1: seconds; 2: milliseconds; 3: both
    int many = random.nextInt(60) == 0 ? 400 : random.nextInt(4) == 0 ? 3 : 30;
    int n = 1 + random.nextInt(many);
    Set<Integer> offsets = new TreeSet<>();
    while (offsets.size() < n) {
      offsets.add(offset());
    }
    List<RawPoint> points = new ArrayList<>();
    for (int offset : offsets) {
      boolean millis = resolution == 2 || (resolution == 3 && random.nextBoolean());
      points.add(RawPoint.random(random, millis ? offset : offset / 1000 * 1000, millis));
    }
    return unique(points);
  }

  private int offset() {
    return switch (random.nextInt(8)) {
      case 0 -> EDGES[random.nextInt(EDGES.length)];
      case 1 -> LAST_MILLIS - random.nextInt(3);
      case 2 -> random.nextInt(60) * 60_000;
      default -> random.nextInt(LAST_MILLIS + 1);
    };
  }

  /** One point for each instant, in ascending order. */
  private static List<RawPoint> unique(List<RawPoint> points) {
    TreeMap<Integer, RawPoint> byOffset = new TreeMap<>();
    points.forEach(point -> byOffset.put(point.offset(), point));
    return new ArrayList<>(byOffset.values());
  }

  /** Puts each point into one cell. */
  private void spread(List<RawPoint> points, Draft draft) {
    int shape = random.nextInt(6);
    int compactedCells = shape == 0 ? 0 : 1 + random.nextInt(3);
    boolean append = shape == 1 || shape == 2;
    List<List<RawPoint>> compacted = new ArrayList<>();
    for (int i = 0; i < compactedCells; i++) {
      compacted.add(new ArrayList<>());
    }
    List<RawPoint> appended = new ArrayList<>();
    int singles = shape == 3 ? 0 : random.nextInt(3);
    for (RawPoint point : points) {
      int choice = random.nextInt(4);
      if (append && (choice > 0 || shape == 2)) {
        appended.add(point);
      } else if (compactedCells > 0 && choice >= singles) {
        compacted.get(random.nextInt(compactedCells)).add(point);
      } else {
        single(point, draft);
      }
    }
    compacted.forEach(cell -> compacted(cell, draft));
    if (!appended.isEmpty()) {
      appended(appended, draft);
    }
  }

  private void single(RawPoint point, Draft draft) {
    byte[] value = point.value();
    if (!point.millis() && random.nextInt(5) == 0) {
      if (point.isFloat() && value.length == 4 && random.nextBoolean()) {
        draft.put(point.qualifier(), RawPoint.join(new byte[4], value), "float on 8 bytes");
      } else {
        draft.put(point.qualifier(wrongLength(point)), value, "wrong length");
      }
    } else {
      draft.put(point.qualifier(), value, "single");
    }
  }

  /** A random wrong length, except the one of a float stored on 8 bytes. */
  private int wrongLength(RawPoint point) {
    int length = 1 + random.nextInt(8);
    return point.isFloat() && length == 4 ? 8 : length;
  }

  private void compacted(List<RawPoint> points, Draft draft) {
    if (points.size() < 2) {
      points.forEach(point -> draft.put(point.qualifier(), point.value(), "single"));
      return;
    }
    byte[] qualifier = qualifiers(points);
    byte[] value = values(points);
    switch (random.nextInt(6)) {
      case 0 -> draft.put(qualifier, value, "compacted without last byte");
      case 1 ->
          draft.put(
              qualifier,
              RawPoint.join(value, new byte[] {(byte) random.nextInt(256)}),
              "compacted with any last byte");
      default -> draft.put(qualifier, RawPoint.join(value, lastByte(points)), "compacted");
    }
  }

  static byte[] lastByte(List<RawPoint> points) {
    long millis = points.stream().filter(RawPoint::millis).count();
    return new byte[] {(byte) (millis > 0 && millis < points.size() ? 1 : 0)};
  }

  static byte[] qualifiers(List<RawPoint> points) {
    return RawPoint.join(points.stream().map(RawPoint::qualifier).toArray(byte[][]::new));
  }

  static byte[] values(List<RawPoint> points) {
    return RawPoint.join(points.stream().map(RawPoint::value).toArray(byte[][]::new));
  }

  /** The points in random order; the last entry of a repeated instant is the intended point. */
  private void appended(List<RawPoint> points, Draft draft) {
    List<RawPoint> entries = new ArrayList<>(points);
    String description = "append";
    if (random.nextInt(3) == 0) {
      for (int i = random.nextInt(4); i > 0; i--) {
        RawPoint again = points.get(random.nextInt(points.size()));
        entries.add(0, again.withValue(RawPoint.random(random, 0, false)));
      }
      description = "append with repetitions";
    } else if (random.nextBoolean()) {
      java.util.Collections.shuffle(entries, random);
      description = "append out of order";
    }
    byte[] qualifier = {5, 0, (byte) (random.nextInt(10) == 0 ? random.nextInt(256) : 0)};
    byte[] value =
        RawPoint.join(
            entries.stream()
                .map(entry -> RawPoint.join(entry.qualifier(), entry.value()))
                .toArray(byte[][]::new));
    draft.put(qualifier, value, description);
  }

  /** Writes some instants again, in separate cells. */
  private void duplicates(List<RawPoint> points, Draft draft) {
    int kind = random.nextInt(5);
    if (kind < 2) {
      return;
    }
    boolean different = kind == 4;
    List<RawPoint> again = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      RawPoint point = points.get(random.nextInt(points.size()));
      boolean millis = random.nextBoolean() || point.offset() % 1000 != 0;
      RawPoint copy = point.at(point.offset(), millis);
      if (different) {
        copy = copy.withValue(RawPoint.random(random, 0, false));
      } else if (random.nextInt(3) == 0 && copy.value().length >= 4 && isFinite(copy)) {
        copy = new RawPoint(copy.offset(), copy.millis(), !copy.isFloat(), copy.value());
      }
      again.add(copy);
    }
    String what = different ? "different duplicate" : "identical duplicate";
    if (random.nextBoolean()) {
      List<RawPoint> cell = unique(again);
      byte[] end = cell.size() > 1 ? lastByte(cell) : new byte[0];
      draft.put(qualifiers(cell), RawPoint.join(values(cell), end), what);
    } else {
      again.forEach(copy -> draft.put(copy.qualifier(), copy.value(), what));
    }
  }

  /** Whether the value's bytes are also a finite number of the other type. */
  private static boolean isFinite(RawPoint point) {
    java.nio.ByteBuffer bytes = java.nio.ByteBuffer.wrap(point.value());
    return point.value().length == 4
        ? Float.isFinite(bytes.getFloat())
        : Double.isFinite(bytes.getDouble());
  }

  /** Adds annotations, histograms, an unknown column, or none of them. */
  void others(Draft draft) {
    byte[] json =
        "{\"tsuid\":\"000001000001000001\",\"startTime\":1600000000,\"description\":\"d\"}"
            .getBytes(StandardCharsets.UTF_8);
    if (random.nextBoolean()) {
      draft.put(new byte[] {1, 0, (byte) random.nextInt(256)}, json, "annotation");
      draft.put(new byte[] {1, 0, 1, 0, (byte) random.nextInt(256)}, json, "annotation in ms");
    }
    if (random.nextBoolean()) {
      draft.put(new byte[] {6, 7, 8}, new byte[] {0x2a, 0, 0, 0, 0}, "histogram");
      draft.put(new byte[] {6, 0, 1, 7, 8}, new byte[] {0x2a, 0, 0, 0, 0}, "histogram in ms");
    }
    if (random.nextInt(4) == 0) {
      draft.put(new byte[] {7, 0, 0}, new byte[] {1}, "unknown column");
    }
  }

  /** Collects the cells of a row. */
  final class Draft {
    private final TreeMap<byte[], byte[]> cells =
        new TreeMap<>(Comparator.comparing(q -> q, Arrays::compareUnsigned));
    private final Set<String> descriptions = new TreeSet<>();

    /** Adds a cell; overwrites a cell with the same qualifier, as HBase does. */
    void put(byte[] qualifier, byte[] value, String description) {
      cells.put(qualifier, value);
      descriptions.add(description);
    }

    String description() {
      return String.join(", ", descriptions);
    }

    /** The cells in HBase's order, with distinct timestamps. */
    List<GeneratedCell> cells() {
      List<Long> stamps = new ArrayList<>();
      for (int i = 0; i < cells.size(); i++) {
        stamps.add(1_700_000_000_000L + i);
      }
      java.util.Collections.shuffle(stamps, random);
      AtomicInteger next = new AtomicInteger();
      List<GeneratedCell> list = new ArrayList<>();
      cells.forEach(
          (q, v) -> list.add(new GeneratedCell(q, v, stamps.get(next.getAndIncrement()))));
      return list;
    }
  }
}
