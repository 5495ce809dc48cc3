package io.tsdbsuite.trigger.snapshot;

/** Work was stopped because the function's timeout is near. */
public final class DeadlineException extends RuntimeException {
  private static final long serialVersionUID = 1;

  DeadlineException(String work) {
    super(work + " was stopped: the function's timeout is near; give it more time or memory");
  }
}
