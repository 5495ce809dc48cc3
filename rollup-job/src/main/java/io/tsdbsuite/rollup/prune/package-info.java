/**
 * {@code rollup-job prune}: deletes old nights of a root of ExportSnapshot, and the HFiles that no
 * manifest names any more. {@link io.tsdbsuite.rollup.prune.PruneJob} is the entry.
 */
@NullMarked
package io.tsdbsuite.rollup.prune;

import org.jspecify.annotations.NullMarked;
