package io.tsdbsuite.ingest.consume;

/** The coverage table did not take the masks of a message. */
final class MaskException extends Exception {
  private static final long serialVersionUID = 1;

  MaskException(Throwable cause) {
    super("the coverage table must take the masks of late points, it said: " + cause, cause);
  }
}
