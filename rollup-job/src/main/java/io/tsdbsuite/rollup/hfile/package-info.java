/**
 * Writes rollups as HFiles of the rollup tables: with raw UIDs, sorted by Spark's shuffle, one file
 * for each region. Defines the layout of the shuffle records, of the run directory, and of the
 * manifest that lists the files. The package {@code load} reads the manifest.
 */
@NullMarked
package io.tsdbsuite.rollup.hfile;

import org.jspecify.annotations.NullMarked;
