package io.tsdbsuite.rollup.hfile;

import java.io.Serializable;
import java.util.Comparator;

/** The order of records within a partition: {@link RollupRecord#compare}. */
final class RecordOrder implements Comparator<byte[]>, Serializable {
  private static final long serialVersionUID = 1L;

  @Override
  public int compare(byte[] a, byte[] b) {
    return RollupRecord.compare(a, b);
  }
}
