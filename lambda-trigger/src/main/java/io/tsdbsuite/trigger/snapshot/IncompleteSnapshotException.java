package io.tsdbsuite.trigger.snapshot;

/**
 * A snapshot is incomplete. It may be complete later or never. The message names the snapshot and
 * the missing part.
 */
public final class IncompleteSnapshotException extends RuntimeException {
  private static final long serialVersionUID = 1;

  IncompleteSnapshotException(String snapshot, String problem) {
    super(message(snapshot, problem));
  }

  IncompleteSnapshotException(String snapshot, String problem, Throwable cause) {
    super(message(snapshot, problem), cause);
  }

  private static String message(String snapshot, String problem) {
    return "snapshot '" + snapshot + "' is not whole: " + problem;
  }
}
