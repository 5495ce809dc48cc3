package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;

/** Resolves no UID: for sinks that need only UIDs. */
public final class NoNames implements UidNames {
  private static final long serialVersionUID = 1L;

  /** Creates the resolver. */
  public NoNames() {}

  @Override
  public boolean lookup(UidKind kind, long uid, ByteSlice out) {
    return false;
  }
}
