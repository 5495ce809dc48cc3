package io.tsdbsuite.ingest.consume;

/** Exponential back-off of a partition after a storage failure. */
final class Backoff {
  private static final long FIRST_MILLIS = 500;
  private static final long LAST_MILLIS = 30_000;

  private Backoff() {}

  /**
   * Milliseconds before the next attempt.
   *
   * @param attempt earlier attempts that failed without progress, 0 or more
   */
  static long millis(int attempt) {
    return Math.min(LAST_MILLIS, FIRST_MILLIS << Math.min(attempt, 10));
  }
}
