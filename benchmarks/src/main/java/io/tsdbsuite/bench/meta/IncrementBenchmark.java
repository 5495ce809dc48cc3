package io.tsdbsuite.bench.meta;

import com.google.common.base.Ticker;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * A point of a series that is at hand, of many. One operation is one point.
 *
 * <p>The TSUIDs are made before, one array for each point, in the order in which they are used: a
 * TSD makes an array for each point, which is then still in the processor's cache.
 */
@State(Scope.Benchmark)
public class IncrementBenchmark {
  /** Points after which the sequence starts again. */
  private static final int POINTS = 1 << 22;

  private static final long SEED = 20_260_101;

  /** Which way. */
  @Param public WayKind way;

  /** Series at hand. */
  @Param("1000000")
  public int series;

  /** Which of them. */
  @Param public Access access;

  private final byte[][] points = new byte[POINTS][];
  private Way cache;

  /** Where a thread is in the sequence. */
  @State(Scope.Thread)
  public static class Position {
    private int next;

    /** Threads start far from each other. */
    @Setup
    public void setUp(ThreadParams threads) {
      next = POINTS / threads.getThreadCount() * threads.getThreadIndex();
    }
  }

  /** Fills the cache; nothing has to go from it afterwards. */
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
