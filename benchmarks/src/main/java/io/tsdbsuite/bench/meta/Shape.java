package io.tsdbsuite.bench.meta;

import java.util.Arrays;
import java.util.Random;

/**
 * TSUIDs of a number of metrics with two tags each, UIDs of 3 bytes assigned by a counter as in
 * OpenTSDB: 15 bytes. Consecutive indexes belong to different metrics.
 *
 * @param series number of series, spread evenly over the metrics
 */
record Shape(int series, int metrics) {
  /** Bytes of a TSUID. */
  static final int LENGTH = 15;

  /** Bytes of a UID. */
  static final int UID_WIDTH = 3;

  private static final int HOST_TAGK = 1;
  private static final int CPU_TAGK = 2;
  private static final int CPUS = 8;
  private static final double EXPONENT = 0.99;

  /** A prime larger than any number of series and far from its multiples. */
  private static final long STRIDE = 2_654_435_761L;

  /** A shape of 1000 metrics, or of fewer if a metric would have less than 100 series. */
  static Shape of(int series) {
    return new Shape(series, Math.max(1, Math.min(1000, series / 100)));
  }

  /** A permutation of the indexes. */
  int shuffled(int index) {
    return (int) (index * STRIDE % series);
  }

  /** Writes the TSUID of an index. */
  void write(int index, byte[] tsuid) {
    int within = index / metrics;
    uid(tsuid, 0, index % metrics + 1);
    uid(tsuid, 3, HOST_TAGK);
    uid(tsuid, 6, within / CPUS + 1);
    uid(tsuid, 9, CPU_TAGK);
    uid(tsuid, 12, within % CPUS + 1);
  }

  /** A new array with the TSUID of an index. */
  byte[] tsuid(int index) {
    byte[] tsuid = new byte[LENGTH];
    write(index, tsuid);
    return tsuid;
  }

  /** Indexes of points: uniform, or Zipf (exponent 0.99; ranks are spread over the metrics). */
  int[] points(boolean zipf, int count, long seed) {
    Random random = new Random(seed);
    if (!zipf) {
      return random.ints(count, 0, series).toArray();
    }
    double[] sums = new double[series];
    double sum = 0;
    for (int rank = 0; rank < series; rank++) {
      sum += Math.pow(rank + 1.0, -EXPONENT);
      sums[rank] = sum;
    }
    int[] points = new int[count];
    for (int i = 0; i < count; i++) {
      int at = Arrays.binarySearch(sums, random.nextDouble() * sum);
      points[i] = shuffled(Math.min(at < 0 ? -at - 1 : at, series - 1));
    }
    return points;
  }

  private static void uid(byte[] to, int at, int uid) {
    to[at] = (byte) (uid >>> 16);
    to[at + 1] = (byte) (uid >>> 8);
    to[at + 2] = (byte) uid;
  }
}
