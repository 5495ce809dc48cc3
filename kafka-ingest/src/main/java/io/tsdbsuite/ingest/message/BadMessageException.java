package io.tsdbsuite.ingest.message;

/** A message, or one element of it, that goes to the dead-letter topic. */
public final class BadMessageException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /**
   * Says what is wrong.
   *
   * @param message names the thing, the rule and the value found
   */
  public BadMessageException(Reason reason, String message) {
    // Without a stack trace: it is data, and there may be many.
    super(message, null, false, false);
    this.reason = reason;
  }

  /** Its class. */
  public Reason reason() {
    return reason;
  }
}
