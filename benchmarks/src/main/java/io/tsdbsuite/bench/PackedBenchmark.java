package io.tsdbsuite.bench;

import io.tsdbsuite.format.packed.PackedRow;
import io.tsdbsuite.format.rollup.RollupCell;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Writes the rollups of a row as one packed part, and reads it. */
@State(Scope.Thread)
public class PackedBenchmark {
  /** Points of a rollup. */
  static final int POINTS = 60;

  private static final int KEY = 20;
  private static final long ASOF = 1_763_600_400_000L;
  private static final int[] IDS = {0, 3, 4, 2};

  /** A row and its values. */
  public enum Shape {
    HOURS(24, "24 hours, doubles with 2 decimals"),
    HOURS_OF_FLOATS(24, "24 hours, floats"),
    HOURS_OF_PERCENTS(24, "24 hours, whole percents"),
    DAYS(30, "30 days, doubles with 2 decimals");

    final int slots;
    final String description;

    Shape(int slots, String description) {
      this.slots = slots;
      this.description = description;
    }

    private double value(Random random) {
      return switch (this) {
        case HOURS_OF_FLOATS -> (float) (50 + 20 * random.nextGaussian());
        case HOURS_OF_PERCENTS -> random.nextInt(101);
        case HOURS, DAYS -> Math.round(10_000 + 1000 * random.nextGaussian()) / 100.0;
      };
    }

    /** Sum, min and max of drawn points. */
    double[] rollup(Random random) {
      double[] points = DoubleStream.generate(() -> value(random)).limit(POINTS).toArray();
      double sum = 0;
      for (double each : points) {
        sum += each;
      }
      double min = DoubleStream.of(points).min().getAsDouble();
      double max = DoubleStream.of(points).max().getAsDouble();
      return new double[] {sum, min, max};
    }

    /** Bytes of the part without its key. */
    int size() {
      PackedBenchmark benchmark = new PackedBenchmark();
      benchmark.shape = this;
      benchmark.setUp();
      return benchmark.value.length;
    }
  }

  /** The row and its values. */
  @Param public Shape shape;

  private final byte[] key = new byte[KEY];
  private double[][] values;
  private PackedRow row;
  private PackedRow read;
  private byte[] qualifier;
  private byte[] value;
  private byte[] copy;

  /** Draws the points of each slot. */
  @Setup
  public void setUp() {
    Random random = new Random(POINTS);
    values = new double[shape.slots][];
    for (int slot = 0; slot < shape.slots; slot++) {
      values[slot] = shape.rollup(random);
    }
    row = new PackedRow(PackedRow.kind(""), shape.slots);
    read = new PackedRow(PackedRow.kind(""), shape.slots);
    value = encode();
    qualifier = row.qualifier(key, 0, KEY, value);
    copy = new byte[value.length];
  }

  /** One operation: a row of values to qualifier and value of the part. */
  @Benchmark
  public byte[] encode() {
    row.clear();
    for (int slot = 0; slot < shape.slots; slot++) {
      double[] each = values[slot];
      row.put(slot, ASOF, each[0], each[1], each[2], POINTS);
    }
    value = row.value();
    qualifier = row.qualifier(key, 0, KEY, value);
    return value;
  }

  /** One operation: the part, checked, to all values of the row. */
  @Benchmark
  public PackedRow decode() throws Exception {
    read.clear();
    read.add(key, 0, KEY, qualifier, 0, qualifier.length, value, 0, value.length);
    return read;
  }

  /** One operation: the bytes of the part alone. */
  @Benchmark
  public byte[] copy() {
    System.arraycopy(value, 0, copy, 0, value.length);
    return copy;
  }

  /** One operation: qualifiers and values of the plain cells of the row. */
  @Benchmark
  public byte[][] plain() {
    byte[][] cells = new byte[shape.slots * 2 * IDS.length][];
    int n = 0;
    for (int slot = 0; slot < shape.slots; slot++) {
      for (int i = 0; i < IDS.length - 1; i++) {
        cells[n++] = RollupCell.doubleQualifier(IDS[i], slot);
        cells[n++] = RollupCell.doubleValue(values[slot][i]);
      }
      cells[n++] = RollupCell.countQualifier(IDS[IDS.length - 1], slot);
      cells[n++] = RollupCell.countValue(POINTS);
    }
    return cells;
  }
}
