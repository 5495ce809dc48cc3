package io.tsdbsuite.trigger.start;

/** The pipeline was not started now; a later try may do it. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StartException(String message) {
    super(message);
  }
}
