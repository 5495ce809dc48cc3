package io.tsdbsuite.testkit;

import org.jspecify.annotations.Nullable;

/** A server of the testkit failed; the message contains the end of its log. */
public final class ServerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * A failure without a cause.
   *
   * @param message the expected and the actual behaviour
   */
  public ServerException(String message) {
    super(message);
  }

  /**
   * A failure with a cause.
   *
   * @param message the expected and the actual behaviour
   * @param cause the cause
   */
  public ServerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
