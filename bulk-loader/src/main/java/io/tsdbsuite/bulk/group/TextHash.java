package io.tsdbsuite.bulk.group;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Hash of the bytes that name a series, 8 bytes at a time. */
final class TextHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long SEED = 0x2545f4914f6cdd1dL;
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  private TextHash() {}

  /** Hash of two parts of an array; its low bits are as good as its high ones. */
  static int of(byte[] bytes, int off, int len, int secondOff, int secondLen) {
    long h = part(SEED, bytes, off, len);
    h = part(h, bytes, secondOff, secondLen);
    h ^= h >>> 29;
    h *= MULTIPLIER;
    return (int) (h >>> 32);
  }

  private static long part(long seed, byte[] bytes, int off, int len) {
    long h = seed ^ len;
    int end = off + len;
    int at = off;
    for (; at <= end - 8; at += 8) {
      h = mix(h ^ (long) LONG.get(bytes, at));
    }
    if (at == end) {
      return h;
    }
    if (len >= 8) {
      return mix(h ^ (long) LONG.get(bytes, end - 8));
    }
    long rest = 0;
    for (; at < end; at++) {
      rest = (rest << 8) | (bytes[at] & 0xff);
    }
    return mix(h ^ rest);
  }

  private static long mix(long h) {
    long mixed = h * MULTIPLIER;
    return mixed ^ (mixed >>> 32);
  }
}
