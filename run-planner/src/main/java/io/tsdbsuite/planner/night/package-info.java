/** A night is the pair of snapshots, of the data and the UID table, that a run reads. */
@NullMarked
package io.tsdbsuite.planner.night;

import org.jspecify.annotations.NullMarked;
