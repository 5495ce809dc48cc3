package io.tsdbsuite.query.read;

/** The raw data read hold something that only OpenTSDB's own reader answers as OpenTSDB does. */
final class NotExactException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotExactException(String reason) {
    super(reason);
  }
}
