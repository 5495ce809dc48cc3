package io.tsdbsuite.meta.write;

import java.nio.ByteBuffer;

/** TSUIDs for tests: 3 bytes for the metric, 6 for a tag. */
final class Series {
  static final int METRIC_WIDTH = 3;

  private Series() {}

  static byte[] of(int number) {
    return of(1, number);
  }

  static byte[] of(int metric, int number) {
    ByteBuffer tsuid = ByteBuffer.allocate(9);
    tsuid.put((byte) (metric >> 16)).put((byte) (metric >> 8)).put((byte) metric);
    tsuid.putShort((short) 1).putInt(number);
    return tsuid.array();
  }
}
