package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkFactory;
import io.tsdbsuite.rollup.sink.SinkResult;
import java.util.List;

/**
 * Sink factory for tasks whose rollups go through a shuffle or a comparison instead of a sink.
 *
 * @param wantsNames whether rows fail if their series has no name
 */
record NoSinks(boolean wantsNames) implements SinkFactory {
  private static final long serialVersionUID = 1L;

  @Override
  public void asOf(long millis) {
    // Nothing says it.
  }

  @Override
  public void check() {
    // Nothing is written.
  }

  @Override
  public boolean takesBack() {
    return false;
  }

  @Override
  public RollupSink open(int partition, long attempt) {
    throw new UnsupportedOperationException("the receiver of the rollups has its own sink");
  }

  @Override
  public boolean keepsFinished() {
    return false;
  }

  @Override
  public void commit(List<SinkResult> results, RunIdentity run) {
    throw new UnsupportedOperationException("there is nothing to commit");
  }

  @Override
  public void abort() {
    // Nothing was written.
  }
}
