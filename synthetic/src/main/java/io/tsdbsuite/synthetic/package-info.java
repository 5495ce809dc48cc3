/**
 * Synthetic points that are a function of options and a seed: names, times and values of series,
 * computed for any point without those before it.
 */
package io.tsdbsuite.synthetic;
