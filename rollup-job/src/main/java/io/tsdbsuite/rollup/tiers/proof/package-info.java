/** Proofs that the rollups of a day equal its raw data: what {@code tiers apply} may delete. */
@NullMarked
package io.tsdbsuite.rollup.tiers.proof;

import org.jspecify.annotations.NullMarked;
