package io.tsdbsuite.meta.write;

/** The time in whole seconds since {@link #EPOCH}; monotonic. */
public interface Clock {
  /** 2020-01-01 00:00 UTC, seconds since 1970; an int counts from there until 2088. */
  int EPOCH = 1_577_836_800;

  /** Now. */
  int now();
}
