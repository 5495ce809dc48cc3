/** Finds series that nobody writes any more, and proves it for each table. */
@NullMarked
package io.tsdbsuite.rollup.tiers.idle;

import org.jspecify.annotations.NullMarked;
