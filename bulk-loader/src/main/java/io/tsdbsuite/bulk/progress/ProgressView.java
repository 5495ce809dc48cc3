package io.tsdbsuite.bulk.progress;

/** Shows progress. Called by one thread at a time. */
interface ProgressView {
  /** A phase begins. */
  void begin(PhaseStatus start);

  /** Called about once a second. */
  void show(PhaseStatus now);

  /** The phase is over; {@code complete} if it came to its end. */
  void end(PhaseStatus end, boolean complete);
}
