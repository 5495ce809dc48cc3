package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;
import org.jspecify.annotations.Nullable;

/** Runs the write of one series: limit for new series, then counter, then TSMeta. */
final class WriteRunner {
  private static final int NO_PLACE = -1;

  private final MetaTable table;
  private final CounterWriter writer;
  private final NewSeriesGuard guard;
  private final NewSeries newSeries;
  private final Clock clock;

  WriteRunner(
      MetaTable table,
      CounterWriter writer,
      NewSeriesGuard guard,
      NewSeries newSeries,
      Clock clock) {
    this.table = table;
    this.writer = writer;
    this.guard = guard;
    this.newSeries = newSeries;
    this.clock = clock;
  }

  /** Sends the first RPC, and each further one after the answer. Errors are the counter's. */
  Deferred<Outcome> run(SeriesWrite write) {
    try {
      if (!write.writesCounter) {
        return storeTsMeta(write, null);
      }
      if (!guard.isOn() || !write.maybeNew) {
        return writeCounter(write, NO_PLACE);
      }
      int place = guard.reserve(clock.now());
      return place == NewSeriesGuard.FULL ? writeIfThere(write) : writeCounter(write, place);
    } catch (RuntimeException e) {
      return Deferred.fromError(e);
    }
  }

  private Deferred<Outcome> writeIfThere(SeriesWrite write) {
    return table
        .counter(write.tsuid)
        .addCallbackDeferring(
            value ->
                value == null
                    ? Deferred.fromResult(Outcome.SUPPRESSED)
                    : writeCounter(write, NO_PLACE));
  }

  private Deferred<Outcome> writeCounter(SeriesWrite write, int place) {
    Deferred<CounterState> written;
    try {
      written = writer.write(write.tsuid, write.points, write.counted);
    } catch (RuntimeException e) {
      written = Deferred.fromError(e);
    }
    return written
        .addCallbacks(
            state -> {
              if (state == CounterState.CREATED) {
                newSeries.created(write.tsuid);
              } else {
                giveBack(place);
              }
              return state;
            },
            (Exception e) -> {
              giveBack(place);
              return e;
            })
        .addCallbackDeferring(state -> storeTsMeta(write, state));
  }

  private void giveBack(int place) {
    if (place != NO_PLACE) {
      guard.giveBack(place);
    }
  }

  private Deferred<Outcome> storeTsMeta(SeriesWrite write, @Nullable CounterState state) {
    if (!write.wantsTsMeta(state)) {
      return Deferred.fromResult(Outcome.written(state));
    }
    Deferred<Boolean> stored;
    try {
      stored = table.storeTsMeta(write.tsuid);
    } catch (RuntimeException e) {
      stored = Deferred.fromError(e);
    }
    return stored.addCallbacks(
        there ->
            Outcome.written(
                state, there ? null : new IllegalStateException("the TSD could not store it")),
        (Exception e) -> Outcome.written(state, e));
  }
}
