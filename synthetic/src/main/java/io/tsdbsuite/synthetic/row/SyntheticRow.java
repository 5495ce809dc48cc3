package io.tsdbsuite.synthetic.row;

/**
 * One hour of a series as a row of the data table with one cell. Owns its arrays.
 *
 * @param key row key, salt included
 * @param qualifier column qualifier
 * @param value cell value
 * @param points number of points, at least 1
 * @param newestMillis time of the last point, milliseconds since the epoch, UTC
 */
public record SyntheticRow(
    byte[] key, byte[] qualifier, byte[] value, int points, long newestMillis) {}
