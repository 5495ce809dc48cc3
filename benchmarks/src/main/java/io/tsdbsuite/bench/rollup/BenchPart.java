package io.tsdbsuite.bench.rollup;

import java.io.IOException;

/** One part of the benchmark. */
interface BenchPart {
  /** Measures the part and adds its figures and limits to the report. */
  void run(Bench bench) throws IOException, InterruptedException;
}
