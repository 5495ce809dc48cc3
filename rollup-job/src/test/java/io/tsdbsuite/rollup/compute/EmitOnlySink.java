package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkResult;

/** A sink of tests of a roller, which only emits: it is never finished. */
abstract class EmitOnlySink implements RollupSink {
  @Override
  public final SinkResult finish() {
    throw new UnsupportedOperationException();
  }

  @Override
  public final void abort() {}

  @Override
  public final void close() {}
}
