/**
 * Rows of tsdb-meta, names of tsdb-uid, and their sources; independent of HBase's and OpenTSDB's
 * classes.
 */
package io.tsdbsuite.report.model;
