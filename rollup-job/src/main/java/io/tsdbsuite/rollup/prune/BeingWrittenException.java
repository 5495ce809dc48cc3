package io.tsdbsuite.rollup.prune;

import org.jspecify.annotations.Nullable;

/** A snapshot changes at the moment, so that it can be read in a moment. */
final class BeingWrittenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BeingWrittenException(String problem, @Nullable Throwable cause) {
    super(problem, cause);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
