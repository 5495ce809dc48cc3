package io.tsdbsuite.meta.write;

/** How a {@link SeriesWrite} ended, other than with a counter that was not written; immutable. */
final class Outcome {
  /** The series is new, and the hour has no place for it: nothing is written. */
  static final Outcome SUPPRESSED = new Outcome(null, false, null);

  private final CounterState state;
  private final boolean storedTsMeta;
  private final Throwable tsMetaFailure;

  private Outcome(CounterState state, boolean storedTsMeta, Throwable tsMetaFailure) {
    this.state = state;
    this.storedTsMeta = storedTsMeta;
    this.tsMetaFailure = tsMetaFailure;
  }

  /** The counter is written, and no TSMeta was wanted. */
  static Outcome written(CounterState state) {
    return new Outcome(state, false, null);
  }

  /**
   * The counter is written, and a TSMeta was wanted.
   *
   * @param state of the counter, null if none was to be written
   * @param failure why there may be no TSMeta; null if there is one
   */
  static Outcome written(CounterState state, Throwable failure) {
    return new Outcome(state, failure == null, failure);
  }

  /** Whether a counter was written. */
  boolean wroteCounter() {
    return state != null;
  }

  /** Whether the counter has a value of its own. */
  boolean counted() {
    return state == CounterState.COUNTED;
  }

  /** Whether a TSMeta was wanted, and is there. */
  boolean storedTsMeta() {
    return storedTsMeta;
  }

  /** Why there may be no TSMeta; null if there is one, or need not be. */
  Throwable tsMetaFailure() {
    return tsMetaFailure;
  }
}
