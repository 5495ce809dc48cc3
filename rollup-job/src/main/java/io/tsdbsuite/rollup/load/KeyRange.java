package io.tsdbsuite.rollup.load;

/**
 * A range of row keys.
 *
 * @param start first key; empty for that of the table
 * @param stop last key, or the first one after it; empty for the end of the table
 * @param inclusive whether the last key belongs to it
 */
record KeyRange(byte[] start, byte[] stop, boolean inclusive) {}
