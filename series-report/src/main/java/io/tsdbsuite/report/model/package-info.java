/**
 * Rows of tsdb-meta, names of tsdb-uid, and their sources; independent of HBase's and OpenTSDB's
 * classes.
 */
@NullMarked
package io.tsdbsuite.report.model;

import org.jspecify.annotations.NullMarked;
