package io.tsdbsuite.meta.write;

/** State of a series' {@code ts_ctr} before its write. */
enum CounterState {
  /** Absent: the series is new. */
  CREATED,

  /** Present with the value 1, or its value does not matter. */
  PLAIN,

  /** Present with another value, which stays. */
  COUNTED
}
