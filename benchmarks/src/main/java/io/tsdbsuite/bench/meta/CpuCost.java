package io.tsdbsuite.bench.meta;

/**
 * What an increment costs.
 *
 * @param callers CPU time of the calling threads, nanoseconds
 * @param process CPU time of the whole process, nanoseconds
 * @param allocated bytes
 */
record CpuCost(double callers, double process, double allocated) {}
