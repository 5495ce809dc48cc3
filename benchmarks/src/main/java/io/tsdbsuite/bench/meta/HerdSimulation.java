package io.tsdbsuite.bench.meta;

/** Simulates the peaks of meta writes when all series report in the same seconds. */
final class HerdSimulation {
  /** Simulated hours; the first, in which all series are new, does not count. */
  static final int HOURS = 5;

  private static final int HOUR = 3600;

  private HerdSimulation() {}

  /**
   * Writes per reporting interval.
   *
   * @param peak maximum of all intervals
   * @param mean mean of all intervals
   */
  record Herd(long peak, double mean) {
    double ratio() {
      return peak / mean;
    }
  }

  /** All series report every {@link MissSimulation#INTERVAL} seconds. */
  static Herd run(WayKind kind, Shape shape) {
    SimulatedTime time = new SimulatedTime();
    Way way = kind.create(2L * shape.series(), time);
    byte[][] tsuids = new byte[shape.series()][];
    for (int i = 0; i < tsuids.length; i++) {
      tsuids[i] = shape.tsuid(i);
    }
    long peak = 0;
    long total = 0;
    int intervals = 0;
    for (int now = 0; now < HOURS * HOUR; now += MissSimulation.INTERVAL) {
      long before = way.writes();
      for (byte[] tsuid : tsuids) {
        way.increment(tsuid);
      }
      time.pass(MissSimulation.INTERVAL);
      if (now >= HOUR) {
        long writes = way.writes() - before;
        peak = Math.max(peak, writes);
        total += writes;
        intervals++;
      }
    }
    return new Herd(peak, (double) total / intervals);
  }
}
