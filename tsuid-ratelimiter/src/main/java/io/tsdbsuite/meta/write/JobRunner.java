package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;

/** Sends what one series wants: first the guard, then the counter, then the TSMeta. */
final class JobRunner {
  private static final int NO_PLACE = -1;

  private final MetaTable table;
  private final CounterWriter writer;
  private final NewSeriesGuard guard;
  private final NewSeries newSeries;
  private final Seconds seconds;

  JobRunner(
      MetaTable table,
      CounterWriter writer,
      NewSeriesGuard guard,
      NewSeries newSeries,
      Seconds seconds) {
    this.table = table;
    this.writer = writer;
    this.guard = guard;
    this.newSeries = newSeries;
    this.seconds = seconds;
  }

  /** Sends the first RPC, and the others as the answers come. Its errors are the counter's. */
  Deferred<Outcome> run(Job job) {
    try {
      if (!job.writesCounter) {
        return storeTsMeta(job, null);
      }
      if (!guard.isOn() || !job.maybeNew) {
        return writeCounter(job, NO_PLACE);
      }
      int place = guard.reserve(seconds.now());
      return place == NewSeriesGuard.FULL ? writeIfThere(job) : writeCounter(job, place);
    } catch (RuntimeException e) {
      return Deferred.fromError(e);
    }
  }

  private Deferred<Outcome> writeIfThere(Job job) {
    return table
        .counter(job.tsuid)
        .addCallbackDeferring(
            value ->
                value == null
                    ? Deferred.fromResult(Outcome.SUPPRESSED)
                    : writeCounter(job, NO_PLACE));
  }

  private Deferred<Outcome> writeCounter(Job job, int place) {
    Deferred<CounterState> written;
    try {
      written = writer.write(job.tsuid, job.points, job.counted);
    } catch (RuntimeException e) {
      written = Deferred.fromError(e);
    }
    return written
        .addCallbacks(
            state -> {
              if (state == CounterState.CREATED) {
                newSeries.created(job.tsuid);
              } else {
                giveBack(place);
              }
              return state;
            },
            (Exception e) -> {
              giveBack(place);
              return e;
            })
        .addCallbackDeferring(state -> storeTsMeta(job, state));
  }

  private void giveBack(int place) {
    if (place != NO_PLACE) {
      guard.giveBack(place);
    }
  }

  private Deferred<Outcome> storeTsMeta(Job job, CounterState state) {
    if (!job.wantsTsMeta(state)) {
      return Deferred.fromResult(Outcome.written(state));
    }
    Deferred<Boolean> stored;
    try {
      stored = table.storeTsMeta(job.tsuid);
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
