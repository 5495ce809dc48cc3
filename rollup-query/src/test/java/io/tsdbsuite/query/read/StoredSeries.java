package io.tsdbsuite.query.read;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.AppendCell;
import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Values;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.RawCell;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * Random series, as the cells of the data table in all their forms, and as rollups: exact ones
 * inside a coverage with holes, none or wrong ones outside of it.
 *
 * <p>Values are multiples of 1/8, so that sums do not depend on the order.
 */
final class StoredSeries {
  private static final String FAMILY = "t";
  private static final long HOUR = 3_600_000;

  /** The id of the codec of sketches. */
  static final int SKETCH_ID = 7;

  private final Random random;
  private final RowKey keys;
  private final RollupConfig rollups;
  private final Map<String, TimeRanges> coverage;
  private final List<RawCell> raw = new ArrayList<>();
  private final Map<String, List<RawCell>> rolledUp = new TreeMap<>();
  private final List<NavigableMap<Long, Double>> points = new ArrayList<>();

  StoredSeries(
      Random random, StorageSchema schema, RollupConfig rollups, Map<String, TimeRanges> coverage) {
    this.random = random;
    this.keys = new RowKey(schema);
    this.rollups = rollups;
    this.coverage = coverage;
  }

  List<RawCell> raw() {
    return raw;
  }

  /** The cells by table. */
  Map<String, List<RawCell>> rollups() {
    return rolledUp;
  }

  /** Adds a series with points in a range of whole hours, milliseconds. */
  void add(byte[] metric, long from, long to, byte[]... tagPairs) {
    NavigableMap<Long, Double> points = new TreeMap<>();
    int dense = 1 + random.nextInt(6);
    for (long hour = from; hour < to; hour += HOUR) {
      if (random.nextInt(10) < 2) {
        // Some hours, and by this some days, have no points.
        hour += HOUR * random.nextInt(4) * random.nextInt(15);
        continue;
      }
      addRow(metric, hour, dense, tagPairs, points);
    }
    this.points.add(points);
    for (RollupInterval interval : rollups.intervals()) {
      if (!interval.defaultInterval()) {
        rollUp(metric, interval, from, to, tagPairs, points);
        if (rollups.suite().histogram(interval.interval())) {
          sketch(metric, interval, from, to, tagPairs, points);
        }
        for (String name : rollups.suite().aggregators(interval.interval())) {
          rollUp(metric, interval, name, from, to, tagPairs, points);
        }
      }
    }
  }

  /** The points of each series, in the order in which they were added. */
  List<NavigableMap<Long, Double>> points() {
    return points;
  }

  /** Adds a row with a NaN, which no TSD would store; alone or beside another point. */
  void addNaN(byte[] metric, long hour, byte[]... tagPairs) {
    byte[] key = keys.encode(metric, hour / 1000, tagPairs);
    PointBuffer row = new PointBuffer();
    row.addDouble(5000, false, Double.NaN);
    single(key, row, 0, hour);
  }

  private void addRow(
      byte[] metric, long hour, int dense, byte[][] tagPairs, NavigableMap<Long, Double> points) {
    byte[] key = keys.encode(metric, hour / 1000, tagPairs);
    int n = 1 + random.nextInt(dense);
    boolean millis = random.nextInt(4) == 0;
    TreeMap<Integer, Integer> offsets = new TreeMap<>();
    for (int i = 0; i < n; i++) {
      int offset = random.nextInt(3600) * 1000;
      if (random.nextInt(12) == 0) {
        offset = random.nextInt(6) * 600_000;
      }
      offsets.put(millis ? offset + random.nextInt(1000) : offset, i);
    }
    PointBuffer row = new PointBuffer();
    for (int offset : offsets.keySet()) {
      addPoint(row, offset, millis || (offset % 1000 != 0), random.nextInt(3));
      points.put(hour + offset, row.doubleValue(row.size() - 1));
    }
    long stamp = hour + HOUR;
    switch (random.nextInt(5)) {
      case 0 -> cell(key, AppendCell.qualifier(), stamp, AppendCell.encode(row));
      case 1 -> compacted(key, row, stamp);
      case 2 -> {
        // A compacted cell that a newer point has overtaken.
        PointBuffer old = new PointBuffer();
        for (int i = 0; i < row.size(); i++) {
          if (i == row.size() / 2) {
            addPoint(old, row.offsetMillis(i), row.isMillis(i), random.nextInt(3));
          } else {
            old.add(
                row.offsetMillis(i),
                row.isMillis(i),
                row.isFloat(i),
                row.valueLength(i),
                row.rawBits(i));
          }
        }
        compacted(key, old, stamp);
        single(key, row, row.size() / 2, stamp + 5000);
      }
      default -> {
        for (int i = 0; i < row.size(); i++) {
          single(key, row, i, stamp);
        }
      }
    }
    if (random.nextInt(40) == 0) {
      annotate(key, hour + random.nextInt(3600) * 1000L);
    }
    if (random.nextInt(60) == 0) {
      // A row with an annotation alone, if this hour has no points later on.
      byte[] other = keys.encode(metric, hour / 1000 + 3600, tagPairs);
      annotate(other, hour + HOUR + 60_000);
    }
  }

  private void addPoint(PointBuffer row, int offset, boolean millis, int type) {
    int eighths = random.nextInt(1 << 16) - (random.nextInt(3) == 0 ? 1 << 15 : 0);
    switch (type) {
      case 0 -> row.addInteger(offset, millis, eighths / 8);
      case 1 -> row.addFloat(offset, millis, eighths / 8f);
      default -> row.addDouble(offset, millis, eighths / 8d);
    }
  }

  private void compacted(byte[] key, PointBuffer row, long stamp) {
    if (row.size() == 1) {
      single(key, row, 0, stamp);
      return;
    }
    CompactedCell cell = CompactedCell.encode(row);
    cell(key, cell.qualifier(), stamp, cell.value());
  }

  private void single(byte[] key, PointBuffer row, int i, long stamp) {
    byte[] qualifier =
        row.isMillis(i)
            ? Qualifier.ofMillis(row.offsetMillis(i), row.isFloat(i), row.valueLength(i))
            : Qualifier.ofSeconds(row.offsetMillis(i) / 1000, row.isFloat(i), row.valueLength(i));
    byte[] value = new byte[row.valueLength(i)];
    for (int b = 0; b < value.length; b++) {
      value[b] = (byte) (row.rawBits(i) >>> (8 * (value.length - 1 - b)));
    }
    cell(key, qualifier, stamp, value);
  }

  /** With seconds, or with milliseconds of which some bytes are no characters. */
  private void annotate(byte[] key, long time) {
    boolean millis = random.nextBoolean();
    long start = millis ? time + 1 + random.nextInt(999) : time / 1000;
    String json = "{\"startTime\":" + start + ",\"description\":\"" + raw.size() + "\"}";
    int offset = (int) (millis ? start % HOUR : start % 3600);
    ByteBuffer qualifier = ByteBuffer.allocate(millis ? 5 : 3).put((byte) 1);
    if (millis) {
      qualifier.putInt(offset);
    } else {
      qualifier.putShort((short) offset);
    }
    cell(key, qualifier.array(), time, json.getBytes(StandardCharsets.UTF_8));
  }

  private void cell(byte[] key, byte[] qualifier, long stamp, byte[] value) {
    raw.add(new RawCell(key, FAMILY, qualifier, stamp, value));
  }

  private void rollUp(
      byte[] metric,
      RollupInterval interval,
      long from,
      long to,
      byte[][] tagPairs,
      NavigableMap<Long, Double> points) {
    long width = interval.seconds() * 1000;
    TimeRanges proven = coverage.get(interval.interval());
    List<RawCell> cells = rolledUp.computeIfAbsent(interval.table(), t -> new ArrayList<>());
    for (long time = from / width * width; time < to; time += width) {
      NavigableMap<Long, Double> in = points.subMap(time, true, time + width, false);
      boolean exact = proven.contains(time, time + width);
      if (exact && in.isEmpty()) {
        continue;
      }
      if (!exact && random.nextInt(3) == 0) {
        continue;
      }
      double sum = exact ? 0 : 1e6 * random.nextDouble();
      double min = exact ? Double.POSITIVE_INFINITY : -1e6;
      double max = exact ? Double.NEGATIVE_INFINITY : 1e6;
      for (double value : in.values()) {
        sum += value;
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
      long base = interval.baseTime(time / 1000);
      byte[] key = keys.encode(metric, base, tagPairs);
      int offset = RollupCell.offset(interval, base, time / 1000);
      rollup(cells, key, "sum", offset, time + width, sum);
      rollup(cells, key, "min", offset, time + width, min);
      rollup(cells, key, "max", offset, time + width, max);
      rollup(cells, key, "count", offset, time + width, in.size() + (exact ? 0 : 7));
    }
  }

  /** Further values of rollups, which have windows of their own. */
  private void rollUp(
      byte[] metric,
      RollupInterval interval,
      String name,
      long from,
      long to,
      byte[][] tagPairs,
      NavigableMap<Long, Double> points) {
    long width = interval.seconds() * 1000;
    TimeRanges proven = coverage.getOrDefault(interval.interval() + "." + name, TimeRanges.none());
    List<RawCell> cells = rolledUp.computeIfAbsent(interval.table(), t -> new ArrayList<>());
    for (long time = from / width * width; time < to; time += width) {
      NavigableMap<Long, Double> in = points.subMap(time, true, time + width, false);
      boolean exact = proven.contains(time, time + width);
      if (exact ? in.isEmpty() : random.nextInt(3) == 0) {
        continue;
      }
      long base = interval.baseTime(time / 1000);
      rollup(
          cells,
          keys.encode(metric, base, tagPairs),
          name,
          RollupCell.offset(interval, base, time / 1000),
          time + width,
          exact ? value(name, in) : 1e6 * random.nextDouble());
    }
  }

  /** Sketches, in rows of an hour in the form of raw rows. */
  private void sketch(
      byte[] metric,
      RollupInterval interval,
      long from,
      long to,
      byte[][] tagPairs,
      NavigableMap<Long, Double> points) {
    long width = interval.seconds() * 1000;
    TimeRanges proven = coverage.get(interval.interval() + ".histogram");
    for (long time = from / width * width; time < to; time += width) {
      NavigableMap<Long, Double> in = points.subMap(time, true, time + width, false);
      boolean exact = proven.contains(time, time + width);
      if (exact ? in.isEmpty() : random.nextInt(3) == 0) {
        continue;
      }
      Sketch sketch = new Sketch();
      in.values().forEach(sketch::add);
      sketch.add(exact ? Double.NaN : 1e6 * random.nextDouble());
      histogram(interval, metric, time, tagPairs, SKETCH_ID, sketch.bytes());
    }
  }

  /** Adds a cell of a histogram table. */
  void histogram(
      RollupInterval interval,
      byte[] metric,
      long time,
      byte[][] tagPairs,
      int codec,
      byte[] histogram) {
    rolledUp
        .computeIfAbsent(
            rollups.suite().histogramTable(interval.interval()), t -> new ArrayList<>())
        .add(histogram(metric, time, tagPairs, codec, histogram));
  }

  /** A histogram in the form of the data table. */
  RawCell histogram(byte[] metric, long time, byte[][] tagPairs, int codec, byte[] histogram) {
    long hour = time / HOUR * HOUR;
    byte[] value =
        ByteBuffer.allocate(1 + histogram.length).put((byte) codec).put(histogram).array();
    short second = (short) ((time - hour) / 1000);
    byte[] qualifier = ByteBuffer.allocate(3).put((byte) 6).putShort(second).array();
    byte[] key = keys.encode(metric, hour / 1000, tagPairs);
    return new RawCell(key, FAMILY, qualifier, time + HOUR, value);
  }

  private static double value(String name, NavigableMap<Long, Double> points) {
    double[] sorted = points.values().stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return switch (name) {
      case "first" -> points.firstEntry().getValue();
      case "last" -> points.lastEntry().getValue();
      default -> Percentiles.of(sorted, 0, sorted.length, Percentiles.rank(name));
    };
  }

  private void rollup(
      List<RawCell> cells, byte[] key, String aggregator, int offset, long stamp, double value) {
    int id = rollups.aggregatorId(aggregator);
    boolean count = aggregator.equals("count");
    int form = random.nextInt(10);
    if (form == 0) {
      // As a TSD wrote it, before the suite wrote the same interval again.
      cells.add(
          new RawCell(
              key,
              FAMILY,
              RollupCell.of(id, offset, false, 4),
              stamp - 1,
              new byte[] {0, 1, 2, 3}));
    }
    byte[] qualifier =
        count ? RollupCell.countQualifier(id, offset) : RollupCell.doubleQualifier(id, offset);
    byte[] stored = count ? RollupCell.countValue((long) value) : RollupCell.doubleValue(value);
    if (form == 1 && value == Math.rint(value)) {
      stored = Values.encodeInteger((long) value);
      qualifier = RollupCell.of(id, offset, false, stored.length);
    }
    if (form == 2) {
      byte[] name = (aggregator + ":").getBytes(StandardCharsets.ISO_8859_1);
      byte[] text = java.util.Arrays.copyOf(name, name.length + 2);
      System.arraycopy(qualifier, 1, text, name.length, 2);
      qualifier = text;
    }
    cells.add(new RawCell(key, FAMILY, qualifier, stamp, stored));
  }
}
