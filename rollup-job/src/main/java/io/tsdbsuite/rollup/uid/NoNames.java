package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;

/** No UID has a name: for sinks that take UIDs. */
public final class NoNames implements UidNames {
  private static final long serialVersionUID = 1L;

  /** Without names. */
  public NoNames() {}

  @Override
  public boolean lookup(UidKind kind, long uid, ByteSlice out) {
    return false;
  }
}
