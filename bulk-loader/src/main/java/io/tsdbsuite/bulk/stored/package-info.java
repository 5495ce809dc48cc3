/**
 * Compares rows with the rows stored in the table: finds points that are stored already, conflicts,
 * and late writes, and rewrites rows.
 */
@NullMarked
package io.tsdbsuite.bulk.stored;

import org.jspecify.annotations.NullMarked;
