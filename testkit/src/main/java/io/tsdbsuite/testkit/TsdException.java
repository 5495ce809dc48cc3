package io.tsdbsuite.testkit;

/** A TSD answered with an error, or refused points. */
public final class TsdException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;

  /**
   * An answer of a TSD.
   *
   * @param status the HTTP status
   * @param message what was asked, and the TSD's own text
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
