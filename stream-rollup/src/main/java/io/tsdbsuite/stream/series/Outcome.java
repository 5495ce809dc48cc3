package io.tsdbsuite.stream.series;

/** What became of a point when it was read. */
public enum Outcome {
  /** It waits in the order of time. */
  HELD,
  /** It replaced a point of the same instant, which is not counted otherwise. */
  REPLACED,
  /** It is older than the slack: its buckets are left to repair. */
  LATE,
  /** Too many points wait to search its place: its buckets are left to repair. */
  CROWDED,
  /** It is further ahead than the slack: its buckets are left to repair. */
  AHEAD
}
