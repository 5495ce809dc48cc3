package io.tsdbsuite.bench.meta;

/** How meta writes bunch when all series report at the same seconds, with simulated time. */
final class HerdSimulation {
  /** Hours that are simulated; the first, when all series are new, is left out. */
  static final int HOURS = 5;

  private static final int HOUR = 3600;

  private HerdSimulation() {}

  /**
   * Writes between two reports.
   *
   * @param peak the most of any interval
   * @param mean of all intervals
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
