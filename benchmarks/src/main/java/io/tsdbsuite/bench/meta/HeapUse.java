package io.tsdbsuite.bench.meta;

/**
 * Heap of a full cache, bytes per series.
 *
 * @param measured used heap after collection, less the used heap before the cache was filled
 * @param estimated estimate by the implementation; negative if it has none
 */
record HeapUse(double measured, double estimated) {}
