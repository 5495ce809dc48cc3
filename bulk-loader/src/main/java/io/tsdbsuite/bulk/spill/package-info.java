/**
 * Sorted runs on disk: partial hours spilled by the grouping, compacted, and merged into rows by
 * row key.
 */
@NullMarked
package io.tsdbsuite.bulk.spill;

import org.jspecify.annotations.NullMarked;
