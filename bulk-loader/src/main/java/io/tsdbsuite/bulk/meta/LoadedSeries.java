package io.tsdbsuite.bulk.meta;

/**
 * A series that has points in the table.
 *
 * @param tsuid metric UID and tag pairs
 * @param points number of points loaded
 * @param newestMillis time of the newest of them, milliseconds since the epoch, UTC
 */
public record LoadedSeries(byte[] tsuid, long points, long newestMillis) {}
