package io.tsdbsuite.query.read;

/** The raw data read hold something that only OpenTSDB's own reader answers as OpenTSDB does. */
public final class NotExactException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param reason for a person, of the plan that follows
   */
  public NotExactException(String reason) {
    super(reason);
  }
}
