package io.tsdbsuite.format.packed;

import io.tsdbsuite.format.row.RowException;

/**
 * A cell of a packed table breaks a rule of its layout; the message names the qualifier, the rule
 * and the value found.
 */
public final class CorruptPartException extends RowException {
  private static final long serialVersionUID = 1L;

  CorruptPartException(byte[] q, int off, int len, String rule, Object found) {
    super("packed cell " + hex(q, off, len) + ": " + rule + ", found " + found);
  }
}
