/**
 * Synthetic points that are a function of options and a seed: names, times and values of series,
 * computed for any point without those before it.
 */
@NullMarked
package io.tsdbsuite.synthetic;

import org.jspecify.annotations.NullMarked;
