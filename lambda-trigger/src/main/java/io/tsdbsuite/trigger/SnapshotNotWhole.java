package io.tsdbsuite.trigger;

/**
 * A snapshot is incomplete. The state machine matches this class's full name, {@code
 * io.tsdbsuite.trigger.SnapshotNotWhole}, and retries later.
 */
public final class SnapshotNotWhole extends RuntimeException {
  private static final long serialVersionUID = 1;

  SnapshotNotWhole(Throwable cause) {
    super(cause.getMessage(), cause);
  }
}
