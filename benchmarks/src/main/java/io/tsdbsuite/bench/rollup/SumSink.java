package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkResult;

/** Sums all rollups. */
final class SumSink implements RollupSink {
  private final Totals totals = new Totals();

  Totals totals() {
    return totals;
  }

  @Override
  public void emit(RollupPoint point) {
    totals.add(point.sum(), point.min(), point.max(), point.count());
  }

  @Override
  public SinkResult finish() {
    throw new UnsupportedOperationException("nothing is stored");
  }

  @Override
  public void abort() {
    // Nothing is stored.
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
