package io.tsdbsuite.rollup.rate;

/** The driver granted no permits; the task can be retried. */
public final class RateLimitException extends Exception {
  private static final long serialVersionUID = 1L;

  RateLimitException(String message) {
    super(message);
  }

  RateLimitException(String message, Throwable cause) {
    super(message, cause);
  }
}
