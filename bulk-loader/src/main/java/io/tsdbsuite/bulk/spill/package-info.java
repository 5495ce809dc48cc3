/**
 * Sorted runs on disk: partial hours spilled by the grouping, compacted, and merged into rows by
 * row key.
 */
package io.tsdbsuite.bulk.spill;
