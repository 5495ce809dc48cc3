/** Deletes what a proof names: {@code rollup-job tiers apply}. */
@NullMarked
package io.tsdbsuite.rollup.tiers.apply;

import org.jspecify.annotations.NullMarked;
