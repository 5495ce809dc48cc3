package io.tsdbsuite.job.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The order of shuffle records whose keys are a head of any length and a tail of a fixed length: by
 * the head, then by the tail, both as unsigned bytes. So records with the same head are adjacent.
 */
public final class KeyOrder implements Comparator<byte[]>, Serializable {
  private static final long serialVersionUID = 1L;

  private final int tail;

  /**
   * @param tail length of the tail, bytes; no key is shorter
   */
  public KeyOrder(int tail) {
    this.tail = tail;
  }

  @Override
  public int compare(byte[] a, byte[] b) {
    int aHead = a.length - tail;
    int bHead = b.length - tail;
    int order = Arrays.compareUnsigned(a, 0, aHead, b, 0, bHead);
    return order != 0 ? order : Arrays.compareUnsigned(a, aHead, a.length, b, bHead, b.length);
  }
}
