package io.tsdbsuite.meta.write;

import org.jspecify.annotations.Nullable;

/** Result of a {@link SeriesWrite}, except a counter that was not written; immutable. */
final class Outcome {
  /** The series is new and over the hourly limit: nothing is written. */
  static final Outcome SUPPRESSED = new Outcome(null, false, null);

  private final @Nullable CounterState state;
  private final boolean storedTsMeta;
  private final @Nullable Throwable tsMetaFailure;

  private Outcome(
      @Nullable CounterState state, boolean storedTsMeta, @Nullable Throwable tsMetaFailure) {
    this.state = state;
    this.storedTsMeta = storedTsMeta;
    this.tsMetaFailure = tsMetaFailure;
  }

  /** The counter is written, and no TSMeta was requested. */
  static Outcome written(@Nullable CounterState state) {
    return new Outcome(state, false, null);
  }

  /**
   * The counter is written, and a TSMeta was requested.
   *
   * @param state of the counter, null if only the TSMeta was written
   * @param failure why the TSMeta may be absent; null if it exists
   */
  static Outcome written(@Nullable CounterState state, @Nullable Throwable failure) {
    return new Outcome(state, failure == null, failure);
  }

  /** Whether a counter was written. */
  boolean wroteCounter() {
    return state != null;
  }

  /** Whether the counter has a value other than 1. */
  boolean counted() {
    return state == CounterState.COUNTED;
  }

  /** Whether a TSMeta was requested and exists. */
  boolean storedTsMeta() {
    return storedTsMeta;
  }

  /** Why the TSMeta may be absent; null if it exists or was not requested. */
  @Nullable Throwable tsMetaFailure() {
    return tsMetaFailure;
  }
}
