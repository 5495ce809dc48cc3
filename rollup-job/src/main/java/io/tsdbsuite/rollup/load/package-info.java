/**
 * {@code rollup-job load}: loads the HFiles of a run into HBase. Checks the manifest, the files and
 * the tables before the load, and counts the cells in the tables after it. Reads directories that
 * the package {@code hfile} has written.
 */
@NullMarked
package io.tsdbsuite.rollup.load;

import org.jspecify.annotations.NullMarked;
