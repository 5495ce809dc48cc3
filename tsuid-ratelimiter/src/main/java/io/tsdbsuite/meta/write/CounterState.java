package io.tsdbsuite.meta.write;

/** What a series' {@code ts_ctr} turned out to be when it was written. */
enum CounterState {
  /** It was not there: the series is new. */
  CREATED,

  /** It was there with the value 1, or its value does not matter. */
  PLAIN,

  /** It was there with another value, which stays. */
  COUNTED
}
