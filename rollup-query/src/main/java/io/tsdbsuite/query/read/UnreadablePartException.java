package io.tsdbsuite.query.read;

import io.tsdbsuite.format.packed.CorruptPartException;

/** A part of a packed row cannot be read; its rollups are in the plain table, too. */
final class UnreadablePartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadablePartException(String message, CorruptPartException cause) {
    super(message, cause);
  }
}
