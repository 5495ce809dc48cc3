package io.tsdbsuite.bench.load;

import java.time.Duration;
import java.time.Instant;

/**
 * Start times and timestamps of rounds. A round that starts late keeps its timestamp, so that no
 * round overwrites the cells of another.
 *
 * @param firstMillis timestamp of the first round, milliseconds since the epoch, UTC
 * @param stepMillis between the timestamps of two rounds
 * @param sleepNanos between the starts of two rounds; 0: without a pause
 */
public record Schedule(long firstMillis, long stepMillis, long sleepNanos) {
  private static final long SECOND = 1000;

  /**
   * Creates a schedule whose timestamps follow the clock; without a sleep they are 1 ms apart.
   *
   * @param now time of the first round, truncated to the second if all timestamps are whole seconds
   * @param sleep between the starts of two rounds; 0, or at least a millisecond
   */
  public static Schedule of(Instant now, Duration sleep) {
    long step = Math.max(1, sleep.toMillis());
    long first = now.toEpochMilli();
    return new Schedule(step % SECOND == 0 ? first - first % SECOND : first, step, sleep.toNanos());
  }

  /** A round's timestamp: seconds since the epoch if all are whole seconds, else ms. */
  long timestamp(long round) {
    long millis = firstMillis + round * stepMillis;
    return firstMillis % SECOND == 0 && stepMillis % SECOND == 0 ? millis / SECOND : millis;
  }

  /** Start of a round, nanoseconds after the first. */
  long due(long round) {
    return round * sleepNanos;
  }
}
