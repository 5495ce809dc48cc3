package io.tsdbsuite.meta.write;

/** A {@code ts_ctr} that is not 8 bytes wide. It is not changed. */
final class BadCounterException extends Exception {
  private static final long serialVersionUID = 1L;

  BadCounterException(byte[] tsuid, int length) {
    super(
        "ts_ctr of "
            + Tsuid.hex(tsuid)
            + " in the meta table must have 8 bytes, found "
            + length
            + ": delete it, and the next write makes it anew");
  }
}
