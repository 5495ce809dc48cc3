/**
 * Groups points by series and hour in memory, within a memory limit, and spills partial hours in
 * row key order.
 */
@NullMarked
package io.tsdbsuite.bulk.group;

import org.jspecify.annotations.NullMarked;
