package io.tsdbsuite.testkit;

/** A server of the testkit did not do what it should; the message carries the end of its log. */
public final class ServerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * A failure of its own.
   *
   * @param message what was expected and what happened
   */
  public ServerException(String message) {
    super(message);
  }

  /**
   * A failure with a cause.
   *
   * @param message what was expected and what happened
   * @param cause why
   */
  public ServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
