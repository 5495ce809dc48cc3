package io.tsdbsuite.stream.series;

import org.jspecify.annotations.Nullable;

/** Keeps the {@link MoreBuckets} of the series that the aggregator works on. */
public interface MoreState {
  /** Whether the present series has such a state: others of its hash have none. */
  boolean isKept();

  /** What {@link #save} got last; it may be changed in place. Null if nothing is kept. */
  byte @Nullable [] load();

  /** Keeps a state, which may be the loaded array; null if nothing need be kept. */
  void save(byte @Nullable [] more);
}
