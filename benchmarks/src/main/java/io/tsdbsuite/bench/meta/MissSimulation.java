package io.tsdbsuite.bench.meta;

import java.util.Random;

/** Simulates the share of points that miss the cache. */
final class MissSimulation {
  /** Seconds between two points of a series. */
  static final int INTERVAL = 15;

  private static final int WARM_UP_ROUNDS = 4;
  private static final int ROUNDS = 4;

  /** Points of the Zipf case, as a multiple of the cache's maximum of series. */
  private static final int ZIPF_WARM_UP = 20;

  private static final int ZIPF_POINTS = 20;
  private static final long SEED = 20_260_102;

  private MissSimulation() {}

  /** All series report repeatedly in the same order. */
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

  /** Zipf-distributed points; maxSeries points per interval. */
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
