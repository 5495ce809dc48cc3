package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.uid.UidNames;

/** Every UID has the empty name: names have a benchmark of their own. */
final class NoNames implements UidNames {
  private static final long serialVersionUID = 1L;
  private static final byte[] EMPTY = {};

  @Override
  public boolean lookup(UidKind kind, long uid, ByteSlice out) {
    out.set(EMPTY);
    return true;
  }
}
