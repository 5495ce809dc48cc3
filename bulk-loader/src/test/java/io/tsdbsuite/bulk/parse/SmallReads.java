package io.tsdbsuite.bulk.parse;

import java.io.ByteArrayInputStream;
import java.util.Random;

/** A stream that gives a few bytes at a time, as networks do. */
final class SmallReads extends ByteArrayInputStream {
  private final Random random;
  private final int max;

  SmallReads(byte[] bytes, Random random, int max) {
    super(bytes);
    this.random = random;
    this.max = max;
  }

  @Override
  public synchronized int read(byte[] b, int off, int len) {
    return super.read(b, off, Math.min(len, 1 + random.nextInt(max)));
  }
}
