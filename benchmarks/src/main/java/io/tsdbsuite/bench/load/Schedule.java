package io.tsdbsuite.bench.load;

import java.time.Duration;
import java.time.Instant;

/**
 * When rounds start and what time their points carry. A round that starts late keeps its timestamp,
 * so no round writes the cells of another.
 *
 * @param firstMillis timestamp of the first round, milliseconds since the epoch, UTC
 * @param stepMillis between the timestamps of two rounds
 * @param sleepNanos between the starts of two rounds; 0: the next as soon as the last is sent
 */
public record Schedule(long firstMillis, long stepMillis, long sleepNanos) {
  private static final long SECOND = 1000;

  /**
   * The timestamps follow the clock; without a sleep they are a millisecond apart.
   *
   * @param now the first round's time, cut to the second when all timestamps are whole seconds
   * @param sleep between the starts of two rounds; 0, or at least a millisecond
   */
  public static Schedule of(Instant now, Duration sleep) {
    long step = Math.max(1, sleep.toMillis());
    long first = now.toEpochMilli();
    return new Schedule(step % SECOND == 0 ? first - first % SECOND : first, step, sleep.toNanos());
  }

  /** Seconds since the epoch if all timestamps are whole ones, else milliseconds. */
  long timestamp(long round) {
    long millis = firstMillis + round * stepMillis;
    return firstMillis % SECOND == 0 && stepMillis % SECOND == 0 ? millis / SECOND : millis;
  }

  /** When a round starts, nanoseconds after the first. */
  long due(long round) {
    return round * sleepNanos;
  }
}
