package io.tsdbsuite.bench.meta;

/** One load for all implementations. */
record CpuCase(int series, Access access, int threads) {}
