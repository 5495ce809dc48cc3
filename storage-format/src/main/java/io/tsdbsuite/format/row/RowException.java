package io.tsdbsuite.format.row;

/**
 * A row or one of its cells cannot be read. The error concerns this row alone: the caller counts it
 * and continues with the next row. It has no stack trace, so a table with many bad rows costs
 * little more than a good one.
 */
public abstract class RowException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Bytes of a qualifier shown in a message; a compacted qualifier can have 14 MB. */
  private static final int SHOWN = 32;

  /** Creates an exception without a stack trace. */
  protected RowException(String message) {
    super(message, null, false, false);
  }

  /** The first bytes of a qualifier, for a message. */
  protected static String hex(byte[] bytes, int off, int len) {
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < Math.min(len, SHOWN); i++) {
      hex.append(Character.forDigit(bytes[off + i] >> 4 & 0xf, 16));
      hex.append(Character.forDigit(bytes[off + i] & 0xf, 16));
    }
    if (len > SHOWN) {
      hex.append("... (").append(len).append(" bytes)");
    }
    return len == 0 ? "(no qualifier)" : hex.toString();
  }
}
