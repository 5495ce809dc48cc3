package io.tsdbsuite.bulk.parse;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Random;

/** A stream that gives a few bytes at a time, as networks do. */
final class SmallReads extends InputStream {
  private final ByteArrayInputStream in;
  private final Random random;
  private final int max;

  SmallReads(byte[] bytes, Random random, int max) {
    this.in = new ByteArrayInputStream(bytes);
    this.random = random;
    this.max = max;
  }

  @Override
  public int read() {
    return in.read();
  }

  @Override
  public int read(byte[] b, int off, int len) {
    return in.read(b, off, Math.min(len, 1 + random.nextInt(max)));
  }
}
