package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;

/** Mode {@code count}: adds the points. */
final class CountingWriter implements CounterWriter {
  private final MetaTable table;

  CountingWriter(MetaTable table) {
    this.table = table;
  }

  @Override
  public Deferred<CounterState> write(byte[] tsuid, long points, boolean counted) {
    return table
        .increment(tsuid, points)
        .addCallback(value -> value == points ? CounterState.CREATED : CounterState.PLAIN);
  }
}
