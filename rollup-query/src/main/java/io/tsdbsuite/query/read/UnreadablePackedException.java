package io.tsdbsuite.query.read;

import org.jspecify.annotations.Nullable;

/** Packed rows cannot be read; their rollups are in the plain table, too. */
final class UnreadablePackedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String level;

  /** Of a row. */
  UnreadablePackedException(String message, Exception cause) {
    this(message, null, cause);
  }

  /**
   * @param level whose table does not answer, for example {@code 1h.packed}; null if it does, and
   *     one row or query alone fails
   */
  UnreadablePackedException(String message, @Nullable String level, @Nullable Exception cause) {
    super(message, cause);
    this.level = level;
  }

  /** The level whose table does not answer; null if one row or query alone fails. */
  @Nullable String level() {
    return level;
  }
}
