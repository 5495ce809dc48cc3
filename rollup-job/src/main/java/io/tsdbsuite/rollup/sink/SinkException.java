package io.tsdbsuite.rollup.sink;

/** A sink could not do its work; the two kinds tell what may be done next. */
public abstract sealed class SinkException extends Exception {
  private static final long serialVersionUID = 1L;

  private SinkException(String message, Throwable cause) {
    super(message, cause);
  }

  /** An outside system failed: the task, or the whole run, can be repeated (exit code 3). */
  public static final class Retryable extends SinkException {
    private static final long serialVersionUID = 1L;

    /** Says what failed and why. */
    public Retryable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Usage or configuration is wrong, or something can't be written at all: a repetition would fail
   * in the same way (exit code 2).
   */
  public static final class Fatal extends SinkException {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong and what the rule is. */
    public Fatal(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
