package io.tsdbsuite.trigger;

/**
 * A snapshot is not whole. Step Functions knows it by this class's full name, {@code
 * io.tsdbsuite.trigger.SnapshotNotWhole}, and tries again later.
 */
public final class SnapshotNotWhole extends RuntimeException {
  private static final long serialVersionUID = 1;

  SnapshotNotWhole(Throwable cause) {
    super(cause.getMessage(), cause);
  }
}
