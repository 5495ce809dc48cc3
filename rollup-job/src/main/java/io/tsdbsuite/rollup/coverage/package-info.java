/**
 * The commands {@code rollup-job coverage}: lists, proves and removes rows of the coverage table.
 */
@NullMarked
package io.tsdbsuite.rollup.coverage;

import org.jspecify.annotations.NullMarked;
