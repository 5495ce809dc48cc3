package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Points of cached series. One operation is one point.
 *
 * <p>The TSUIDs are created in advance, one array per point, in the order of their use: a TSD
 * creates an array per point, which is then in the processor's cache.
 */
@State(Scope.Benchmark)
public class IncrementBenchmark {
  /** Length of the repeated sequence, points. */
  private static final int POINTS = 1 << 22;

  private static final long SEED = 20_260_101;

  /** Measured implementation. */
  @Param public WayKind way;

  /** Number of cached series. */
  @Param("1000000")
  public int series;

  /** Distribution of points over the series. */
  @Param public Access access;

  private final byte[][] points = new byte[POINTS][];
  private Way cache;

  /** Position of a thread in the sequence. */
  @State(Scope.Thread)
  public static class Position {
    private int next;

    /** Starts threads at distant positions. */
    @Setup
    public void setUp(ThreadParams threads) {
      next = POINTS / threads.getThreadCount() * threads.getThreadIndex();
    }
  }

  /** Fills the cache; the benchmark evicts no series. */
  @Setup
  public void setUp() {
    Shape shape = Shape.of(series);
    int[] indexes = access.indexes(shape, POINTS, SEED);
    for (int i = 0; i < POINTS; i++) {
      points[i] = shape.tsuid(indexes[i]);
    }
    cache = way.create(2L * series, Ticker.systemTicker());
    byte[] tsuid = new byte[Shape.LENGTH];
    for (int i = 0; i < series; i++) {
      shape.write(shape.shuffled(i), tsuid);
      cache.increment(tsuid);
    }
    if (cache.series() != series) {
      throw new IllegalStateException(
          way + " must hold " + series + " series, found " + cache.series());
    }
    System.gc();
  }

  /** Takes one point. */
  @Benchmark
  public void increment(Position position) {
    cache.increment(points[position.next++ & (POINTS - 1)]);
  }
}
