/** Rows of tsdb-meta for series that no TSD has seen. */
package io.tsdbsuite.bulk.meta;
