/**
 * Compares stored rollups with rollups computed from raw data: the record format of both sides, the
 * readers of stored rollups (snapshots or a TSD), and the books and report of the comparison. Does
 * not depend on Spark; the package {@code verify.job} runs it there.
 */
@NullMarked
package io.tsdbsuite.rollup.verify;

import org.jspecify.annotations.NullMarked;
