package io.tsdbsuite.trigger.start;

/** The pipeline was not started; a retry may succeed. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StartException(String message) {
    super(message);
  }
}
