package io.tsdbsuite.testkit;

/** A TSD responded with an error, or rejected points. */
public final class TsdException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;

  /**
   * A failure reported by a TSD.
   *
   * @param status the HTTP status
   * @param message the request, and the TSD's own message
   */
  public TsdException(int status, String message) {
    super(message);
    this.status = status;
  }

  /**
   * The HTTP status.
   *
   * @return for example 400
   */
  public int status() {
    return status;
  }
}
