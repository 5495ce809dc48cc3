package io.tsdbsuite.trigger.event;

/** A message of which nothing can be made; the exception's text says why. */
public final class MalformedEventException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MalformedEventException(String problem, Throwable cause) {
    super(problem, cause);
  }
}
