/** Days that must be rolled up, and the snapshots that can hold them. */
@NullMarked
package io.tsdbsuite.planner.due;

import org.jspecify.annotations.NullMarked;
