package io.tsdbsuite.message.read;

/** A message, or one of its elements, that can never be stored: a dead letter. */
public final class BadMessageException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Maximum of the characters of a description; the value found may have any number. */
  private static final int MAX_TEXT = 1024;

  private final Reason reason;

  /**
   * Creates the exception, without a stack trace.
   *
   * @param message names the field, the rule and the value found; cut to 1,024 characters
   */
  public BadMessageException(Reason reason, String message) {
    // Bad input is data and may be frequent: no stack trace.
    super(
        message.length() <= MAX_TEXT ? message : message.substring(0, MAX_TEXT),
        null,
        false,
        false);
    this.reason = reason;
  }

  /** The class of the error. */
  public Reason reason() {
    return reason;
  }
}
