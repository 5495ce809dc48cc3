/**
 * Writes the rows of tsdb-meta ({@code ts_meta}, {@code ts_ctr}) for loaded series that have none.
 */
@NullMarked
package io.tsdbsuite.bulk.meta;

import org.jspecify.annotations.NullMarked;
