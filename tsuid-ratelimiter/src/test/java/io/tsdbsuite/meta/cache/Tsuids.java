package io.tsdbsuite.meta.cache;

/** TSUIDs for tests: UIDs of 3 bytes, two tags. */
final class Tsuids {
  static final int METRIC_WIDTH = 3;
  static final int LENGTH = 15;

  private Tsuids() {}

  /** The series of a metric with that number, 0 and up. */
  static byte[] of(int metric, int series) {
    byte[] tsuid = new byte[LENGTH];
    uid(tsuid, 0, metric + 1);
    uid(tsuid, 3, 1);
    uid(tsuid, 6, series / 1000 + 1);
    uid(tsuid, 9, 2);
    uid(tsuid, 12, series % 1000 + 1);
    return tsuid;
  }

  private static void uid(byte[] tsuid, int at, int uid) {
    tsuid[at] = (byte) (uid >>> 16);
    tsuid[at + 1] = (byte) (uid >>> 8);
    tsuid[at + 2] = (byte) uid;
  }
}
