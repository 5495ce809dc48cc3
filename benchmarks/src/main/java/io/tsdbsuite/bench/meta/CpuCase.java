package io.tsdbsuite.bench.meta;

/** One load on the ways. */
record CpuCase(int series, Access access, int threads) {}
