package io.tsdbsuite.trigger;

/**
 * A day's job left no report of success. The state machine matches this class's full name, {@code
 * io.tsdbsuite.trigger.ReportNotDone}.
 */
public final class ReportNotDone extends RuntimeException {
  private static final long serialVersionUID = 1;

  ReportNotDone(String message) {
    super(message);
  }
}
