package io.tsdbsuite.bench.rollup;

import java.io.IOException;

/** One thing to measure. */
interface BenchPart {
  /** Measures it and puts the figures, and what was aimed at, into the report. */
  void run(Bench bench) throws IOException, InterruptedException;
}
