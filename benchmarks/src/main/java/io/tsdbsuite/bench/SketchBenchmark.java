package io.tsdbsuite.bench;

import io.tsdbsuite.format.histogram.Sketch;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Adds the points of an hour to a sketch, merges the sketches of a day, and writes them. */
@State(Scope.Thread)
public class SketchBenchmark {
  /** Points of an hour, one a second. */
  static final int POINTS = 3600;

  static final int HOURS = 24;

  /** Distribution of the values. */
  public enum Shape {
    CONSTANT("constant"),
    NORMAL("normal, 100 and 10"),
    LOGNORMAL_HALF("lognormal, 0.5"),
    LOGNORMAL_ONE("lognormal, 1"),
    MIXED_SIGN("both signs, uniform and normal");

    final String description;

    Shape(String description) {
      this.description = description;
    }

    private double value(Random random) {
      return switch (this) {
        case CONSTANT -> 42.17;
        case NORMAL -> 100 + 10 * random.nextGaussian();
        case LOGNORMAL_HALF -> Math.exp(3 + 0.5 * random.nextGaussian());
        case LOGNORMAL_ONE -> Math.exp(3 + random.nextGaussian());
        case MIXED_SIGN ->
            random.nextBoolean() ? 2000 * random.nextDouble() - 1000 : random.nextGaussian();
      };
    }

    double[] values(Random random, int points) {
      return DoubleStream.generate(() -> value(random)).limit(points).toArray();
    }

    /** Bytes of a sketch of so many points, codec id included. */
    int size(int points) {
      Sketch sketch = new Sketch();
      sketch.addAll(values(new Random(points), points), 0, points);
      return 1 + sketch.bytes().length;
    }
  }

  /** Distribution of the values. */
  @Param public Shape shape;

  private final Sketch sketch = new Sketch();
  private final Sketch day = new Sketch();
  private final byte[][] hours = new byte[HOURS][];
  private double[][] values;

  private int next;

  /** Draws a day, and makes the sketches of its hours. */
  @Setup
  public void setUp() {
    Random random = new Random(POINTS);
    values = new double[HOURS][];
    for (int hour = 0; hour < HOURS; hour++) {
      values[hour] = shape.values(random, POINTS);
      hours[hour] = add().bytes();
      day.add(sketch);
    }
  }

  /** One operation: the points of an hour. */
  @Benchmark
  public Sketch add() {
    double[] points = values[next++ % HOURS];
    sketch.clear();
    sketch.addAll(points, 0, points.length);
    return sketch;
  }

  /** One operation: the bytes of 24 hours into one sketch. */
  @Benchmark
  public Sketch merge() {
    sketch.clear();
    for (byte[] hour : hours) {
      sketch.add(hour, 0, hour.length);
    }
    return sketch;
  }

  /** One operation: the bytes of a sketch of a day. */
  @Benchmark
  public byte[] write() {
    return day.bytes();
  }

  /** One operation: p99 of a day. */
  @Benchmark
  public double percentile() {
    return day.percentile(99);
  }
}
