/**
 * Rollups as HFiles of the rollup tables: raw UIDs, sorted by Spark's shuffle, one file for each
 * region. Knows the layout of what is shuffled, of the files, and of the manifest that names them.
 */
package io.tsdbsuite.rollup.hfile;
