package io.tsdbsuite.query.run;

/** A query was stopped before its answer. The message is for the user, with the numbers. */
public final class QueryAbortedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final AbortReason reason;

  /**
   * Creates the exception.
   *
   * @param message what happened, the limit and its key in opentsdb.conf
   */
  public QueryAbortedException(AbortReason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Why. */
  public AbortReason reason() {
    return reason;
  }
}
