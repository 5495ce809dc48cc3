package io.tsdbsuite.bulk.spark;

import java.io.Serializable;
import java.util.Comparator;

/** The order of records within a partition: {@link ShuffleKey#compare}. */
final class ShuffleOrder implements Comparator<byte[]>, Serializable {
  private static final long serialVersionUID = 1L;

  @Override
  public int compare(byte[] a, byte[] b) {
    return ShuffleKey.compare(a, b);
  }
}
