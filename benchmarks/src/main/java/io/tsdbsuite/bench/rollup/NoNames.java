package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.uid.UidNames;

/** Gives every UID the empty name: a separate benchmark measures names. */
final class NoNames implements UidNames {
  private static final long serialVersionUID = 1L;
  private static final byte[] EMPTY = {};

  @Override
  public boolean lookup(UidKind kind, long uid, ByteSlice out) {
    out.set(EMPTY);
    return true;
  }
}
