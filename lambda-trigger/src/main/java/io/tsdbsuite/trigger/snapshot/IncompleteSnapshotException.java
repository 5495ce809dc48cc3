package io.tsdbsuite.trigger.snapshot;

/**
 * A snapshot that is not whole, not yet or for ever: nobody can tell which. The message names it
 * and what is missing.
 */
public final class IncompleteSnapshotException extends RuntimeException {
  private static final long serialVersionUID = 1;

  IncompleteSnapshotException(String snapshot, String problem) {
    this(snapshot, problem, null);
  }

  IncompleteSnapshotException(String snapshot, String problem, Throwable cause) {
    super("snapshot '" + snapshot + "' is not whole: " + problem, cause);
  }
}
