package io.tsdbsuite.rollup.sink;

import org.jspecify.annotations.Nullable;

/** A failure of a sink; the two subclasses tell whether a retry can help. */
public abstract sealed class SinkException extends Exception {
  private static final long serialVersionUID = 1L;

  private SinkException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** One or more sentences, never null. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /** An outside system failed: the task or the run can be retried (exit code 3). */
  public static final class Retryable extends SinkException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception; the message names the failed action. */
    public Retryable(String message) {
      super(message, null);
    }

    /** Creates an exception; the message names the failed action and the cause. */
    public Retryable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Wrong usage or configuration, or a value that cannot be written: a retry would fail in the same
   * way (exit code 2).
   */
  public static final class Fatal extends SinkException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception; the message names the error and the rule. */
    public Fatal(String message) {
      super(message, null);
    }

    /** Creates an exception for another one; the message names the error and the rule. */
    public Fatal(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
