package io.tsdbsuite.format.row;

/** The offset after a one-byte prefix: 2 bytes of seconds, or 4 bytes of milliseconds. */
final class PrefixedOffset {
  private PrefixedOffset() {}

  static long millis(byte[] q, int off, int len) {
    long offset = Uids.read(q, off + 1, len - 1);
    return len == 3 ? offset * 1000 : offset;
  }
}
