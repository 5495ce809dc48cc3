package io.tsdbsuite.meta.write;

/** A write that was given up, because no answer came for long. */
final class UnansweredException extends Exception {
  private static final long serialVersionUID = 1L;

  UnansweredException(int seconds) {
    super("no answer for " + seconds + " s");
  }
}
