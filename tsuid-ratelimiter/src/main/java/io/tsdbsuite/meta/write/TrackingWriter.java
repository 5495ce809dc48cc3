package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;
import java.util.Arrays;

/**
 * Mode {@code track}: rewrites the current value, 1 if there is none. A blind put would reset the
 * counter of a series that was counted before, or is counted by another TSD.
 */
final class TrackingWriter implements CounterWriter {
  private static final int TRIES = 3;
  private static final int WIDTH = 8;

  private final MetaTable table;

  TrackingWriter(MetaTable table) {
    this.table = table;
  }

  @Override
  public Deferred<CounterState> write(byte[] tsuid, long points, boolean counted) {
    if (counted) {
      return read(tsuid, 1);
    }
    return table
        .refresh(tsuid, one())
        .addCallbackDeferring(
            done -> done ? Deferred.fromResult(CounterState.PLAIN) : read(tsuid, 1));
  }

  private Deferred<CounterState> read(byte[] tsuid, int attempt) {
    if (attempt > TRIES) {
      return Deferred.fromError(
          new IllegalStateException(
              "ts_ctr of " + Tsuid.hex(tsuid) + " was changed by others at each of 3 tries"));
    }
    return table
        .counter(tsuid)
        .addCallbackDeferring(
            value -> {
              if (value == null) {
                return then(table.create(tsuid), CounterState.CREATED, tsuid, attempt);
              }
              if (value.length != WIDTH) {
                throw new BadCounterException(tsuid, value.length);
              }
              CounterState state =
                  Arrays.equals(value, one()) ? CounterState.PLAIN : CounterState.COUNTED;
              return then(table.refresh(tsuid, value), state, tsuid, attempt);
            });
  }

  /** The state if the compare-and-set succeeded; else reads again. */
  private Deferred<CounterState> then(
      Deferred<Boolean> write, CounterState state, byte[] tsuid, int attempt) {
    return write.addCallbackDeferring(
        done -> done ? Deferred.fromResult(state) : read(tsuid, attempt + 1));
  }

  private static byte[] one() {
    return new byte[] {0, 0, 0, 0, 0, 0, 0, 1};
  }
}
