package io.tsdbsuite.trigger;

/**
 * No file of a snapshot exists. Waiting does not mend that, so the state machine, which gets this
 * class's full name as the error, does not retry.
 */
public final class SnapshotMissing extends RuntimeException {
  private static final long serialVersionUID = 1;

  SnapshotMissing(Throwable cause) {
    super(cause.getMessage(), cause);
  }
}
