package io.tsdbsuite.ingest.consume;

/** How long a partition rests after its storage failed. */
final class Backoff {
  private static final long FIRST_MILLIS = 500;
  private static final long LAST_MILLIS = 30_000;

  private Backoff() {}

  /**
   * Milliseconds before the next try.
   *
   * @param attempt tries before that failed without any progress, 0 or more
   */
  static long millis(int attempt) {
    return Math.min(LAST_MILLIS, FIRST_MILLIS << Math.min(attempt, 10));
  }
}
