package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;
import io.tsdbsuite.bench.measure.PairedRuns;

/** Points of cached series: the suite's cache without counts, and that of the published plugin. */
final class TouchKernel {
  private static final int POINTS = 1 << 18;
  private static final int PASSES = 16;
  private static final long SEED = 1;

  private TouchKernel() {}

  /** Arguments: directory, which is not used, and the number of series. */
  public static void main(String[] args) throws Exception {
    Shape shape = Shape.of(Integer.parseInt(args[1]));
    int[] indexes = Access.UNIFORM.indexes(shape, POINTS, SEED);
    byte[][] points = new byte[POINTS][];
    for (int i = 0; i < POINTS; i++) {
      points[i] = shape.tsuid(indexes[i]);
    }
    Way published = filled(WayKind.PUBLISHED, shape);
    Way suite = filled(WayKind.TRACK, shape);
    PairedRuns.ofProcess().print(() -> touch(published, points), () -> touch(suite, points));
    System.exit(0);
  }

  private static Way filled(WayKind kind, Shape shape) {
    Way way = kind.create(2L * shape.series(), Ticker.systemTicker());
    for (int i = 0; i < shape.series(); i++) {
      way.increment(shape.tsuid(shape.shuffled(i)));
    }
    return way;
  }

  private static double touch(Way way, byte[][] points) {
    for (int pass = 0; pass < PASSES; pass++) {
      for (byte[] tsuid : points) {
        way.increment(tsuid);
      }
    }
    return way.series();
  }
}
