/**
 * Resolves UIDs to names: a dictionary in memory, filled from a snapshot of the UID table, and a
 * resolver that queries a live HBase. The job chooses the source by {@link UidSettings}.
 *
 * <p>A UID of 1 to 8 bytes is carried as the unsigned big-endian value in a {@code long}.
 */
@NullMarked
package io.tsdbsuite.rollup.uid;

import org.jspecify.annotations.NullMarked;
