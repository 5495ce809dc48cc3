package io.tsdbsuite.meta.cache;

/** Makes TSUIDs from the parts that a {@link Block} keeps. */
final class Tsuid {
  private Tsuid() {}

  /** The series whose state is there. */
  static byte[] of(BlockKey key, Block block, int at, int metricWidth) {
    byte[] tsuid = new byte[key.tsuidLength()];
    put(tsuid, 0, metricWidth, key.metric());
    int end = tsuid.length;
    int start = Math.max(metricWidth, end - Integer.BYTES);
    put(tsuid, start, end, block.get(at) >>> 32);
    for (int word = at - 1; start > metricWidth; word--) {
      end = start;
      start = Math.max(metricWidth, end - Long.BYTES);
      put(tsuid, start, end, block.get(word));
    }
    return tsuid;
  }

  private static void put(byte[] bytes, int start, int end, long value) {
    long rest = value;
    for (int i = end - 1; i >= start; i--) {
      bytes[i] = (byte) rest;
      rest >>>= 8;
    }
  }
}
