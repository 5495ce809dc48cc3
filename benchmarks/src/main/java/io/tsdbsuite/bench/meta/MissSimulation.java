package io.tsdbsuite.bench.meta;

import java.util.Random;

/** Shares of points that miss, with simulated time. */
final class MissSimulation {
  /** Seconds between two points of a series. */
  static final int INTERVAL = 15;

  private static final int WARM_UP_ROUNDS = 4;
  private static final int ROUNDS = 4;

  /** Points of the zipf case, in multiples of what the cache may hold. */
  private static final int ZIPF_WARM_UP = 20;

  private static final int ZIPF_POINTS = 20;
  private static final long SEED = 20_260_102;

  private MissSimulation() {}

  /** All series report in the same order, again and again. */
  static double cyclic(WayKind kind, Shape shape, long maxSeries) {
    SimulatedTime time = new SimulatedTime();
    Way way = kind.create(maxSeries, time);
    byte[] tsuid = new byte[Shape.LENGTH];
    long before = 0;
    for (int round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      if (round == WARM_UP_ROUNDS) {
        before = way.misses();
      }
      for (int i = 0; i < shape.series(); i++) {
        shape.write(shape.shuffled(i), tsuid);
        way.increment(tsuid);
      }
      time.pass(INTERVAL);
    }
    return (way.misses() - before) / ((double) ROUNDS * shape.series());
  }

  /** Some series report far more often than others; maxSeries points in an interval. */
  static double zipf(WayKind kind, Shape shape, int maxSeries) {
    SimulatedTime time = new SimulatedTime();
    Way way = kind.create(maxSeries, time);
    Zipf zipf = new Zipf(shape.series(), Access.EXPONENT);
    Random random = new Random(SEED);
    byte[] tsuid = new byte[Shape.LENGTH];
    long before = 0;
    for (int round = 0; round < ZIPF_WARM_UP + ZIPF_POINTS; round++) {
      if (round == ZIPF_WARM_UP) {
        before = way.misses();
      }
      for (int i = 0; i < maxSeries; i++) {
        shape.write(shape.shuffled(zipf.rank(random.nextDouble())), tsuid);
        way.increment(tsuid);
      }
      time.pass(INTERVAL);
    }
    return (way.misses() - before) / ((double) ZIPF_POINTS * maxSeries);
  }
}
