/**
 * Writes the rows of tsdb-meta ({@code ts_meta}, {@code ts_ctr}) for loaded series that have none.
 */
package io.tsdbsuite.bulk.meta;
