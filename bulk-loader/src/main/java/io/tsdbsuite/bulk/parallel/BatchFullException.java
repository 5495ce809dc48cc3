package io.tsdbsuite.bulk.parallel;

/** The points and rejects of a block take more memory than a batch may. */
final class BatchFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BatchFullException() {
    // No stack trace: it ends a parse as planned.
    super("a batch is full", null, false, false);
  }
}
