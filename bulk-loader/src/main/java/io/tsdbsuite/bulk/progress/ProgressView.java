package io.tsdbsuite.bulk.progress;

/** Shows progress. Called by one thread at a time. */
interface ProgressView {
  /** A phase begins. */
  void begin(Snapshot start);

  /** Called about once a second. */
  void show(Snapshot now);

  /** The phase is over; {@code complete} if it came to its end. */
  void end(Snapshot end, boolean complete);
}
