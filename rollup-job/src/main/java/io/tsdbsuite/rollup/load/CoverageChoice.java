package io.tsdbsuite.rollup.load;

import java.time.Duration;

/**
 * What a load does with a coverage table.
 *
 * @param table with its namespace
 * @param required whether the table must exist, and be written if the run proves something;
 *     otherwise a load without it only says so
 * @param written whether the load writes what it has proven; it removes what its files would make
 *     wrong in any case
 * @param sourceChecked whether the user has made sure that the snapshot was taken of the table that
 *     the TSDs of this cluster read
 * @param pause how long queries go on with windows that were removed
 */
public record CoverageChoice(
    String table, boolean required, boolean written, boolean sourceChecked, Duration pause) {}
