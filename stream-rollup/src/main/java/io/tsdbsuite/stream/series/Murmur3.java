package io.tsdbsuite.stream.series;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash function murmur3, variant x64 with 128 bits, of which the first 64 are returned; the
 * seed is 0. It makes no object: it runs once per point.
 */
final class Murmur3 {
  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;
  private static final int BLOCK = 16;
  private static final int HALF = 8;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Murmur3() {}

  /** Hashes bytes. */
  static long hash(byte[] bytes) {
    long h1 = 0;
    long h2 = 0;
    int whole = bytes.length - bytes.length % BLOCK;
    for (int at = 0; at < whole; at += BLOCK) {
      h1 ^= first((long) LONG.get(bytes, at));
      h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729;
      h2 ^= second((long) LONG.get(bytes, at + HALF));
      h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    // Zero bytes behind the end change nothing.
    h1 ^= first(rest(bytes, whole));
    h2 ^= second(rest(bytes, whole + HALF));
    h1 ^= bytes.length;
    h2 ^= bytes.length;
    h1 += h2;
    h2 += h1;
    return mix(h1) + mix(h2);
  }

  private static long first(long k) {
    return Long.rotateLeft(k * C1, 31) * C2;
  }

  private static long second(long k) {
    return Long.rotateLeft(k * C2, 33) * C1;
  }

  /** Up to eight bytes from a position, little-endian, with zeros behind the end. */
  private static long rest(byte[] bytes, int from) {
    long k = 0;
    for (int i = Math.min(bytes.length, from + HALF) - 1; i >= from; i--) {
      k = k << 8 | (bytes[i] & 0xff);
    }
    return k;
  }

  private static long mix(long h) {
    long mixed = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
