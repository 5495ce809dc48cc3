/**
 * {@code rollup-job tiers}: how long each table keeps the data of which metrics. {@link
 * io.tsdbsuite.rollup.tiers.TiersPlanJob} reads the bytes of metrics and days from the indexes of
 * HFiles, and {@link io.tsdbsuite.rollup.tiers.TiersPlan} is what a policy would let go.
 */
@NullMarked
package io.tsdbsuite.rollup.tiers;

import org.jspecify.annotations.NullMarked;
