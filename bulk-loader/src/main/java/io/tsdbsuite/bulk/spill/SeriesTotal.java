package io.tsdbsuite.bulk.spill;

/**
 * Totals of a series over all runs.
 *
 * @param tsuid metric UID and tag pairs
 * @param names metric and tags in text
 * @param accepted number of points of the input, duplicates included
 * @param points number of points; duplicates across runs count in each run
 * @param newestMillis time of the last point, milliseconds since the epoch, UTC
 */
public record SeriesTotal(
    byte[] tsuid, String names, long accepted, long points, long newestMillis) {
  /** The sum of both. */
  SeriesTotal plus(SeriesTotal other) {
    return new SeriesTotal(
        tsuid,
        names,
        accepted + other.accepted,
        points + other.points,
        Math.max(newestMillis, other.newestMillis));
  }
}
