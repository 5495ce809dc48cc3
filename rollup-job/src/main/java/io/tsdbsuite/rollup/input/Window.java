package io.tsdbsuite.rollup.input;

import java.time.Instant;

/**
 * The window of a run.
 *
 * @param from first hour, inclusive, seconds since the epoch, UTC, on the hour; on the day when
 *     days are rolled up
 * @param to last hour, exclusive, in the form of {@code from}; equal to it if only changed rows are
 *     rolled up
 */
public record Window(long from, long to) {
  /** The first hour, a separator, and the end. */
  public String text(String separator) {
    return Instant.ofEpochSecond(from) + separator + Instant.ofEpochSecond(to);
  }
}
