package io.tsdbsuite.bench.meta;

/**
 * Heap of a full cache, bytes per series.
 *
 * @param measured what is used after collection, less what was used before
 * @param estimated the way's own estimate; negative if it has none
 */
record HeapUse(double measured, double estimated) {}
