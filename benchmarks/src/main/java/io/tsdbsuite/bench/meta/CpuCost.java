package io.tsdbsuite.bench.meta;

/**
 * Cost of an increment.
 *
 * @param callers CPU time of the calling threads, nanoseconds
 * @param process CPU time of the whole process, nanoseconds
 * @param allocated allocation of the calling threads, bytes
 */
record CpuCost(double callers, double process, double allocated) {}
