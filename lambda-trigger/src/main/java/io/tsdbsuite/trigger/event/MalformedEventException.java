package io.tsdbsuite.trigger.event;

/** A message that cannot be parsed; the exception's message has the reason. */
public final class MalformedEventException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MalformedEventException(String problem) {
    super(problem);
  }

  MalformedEventException(String problem, Throwable cause) {
    super(problem, cause);
  }
}
