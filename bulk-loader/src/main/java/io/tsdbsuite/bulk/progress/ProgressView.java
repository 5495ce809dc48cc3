package io.tsdbsuite.bulk.progress;

/** A display of progress. */
interface ProgressView {
  /** No display. */
  ProgressView NONE =
      start ->
          new PhaseView() {
            @Override
            public void show(PhaseStatus now) {}

            @Override
            public void end(PhaseStatus end, boolean complete) {}
          };

  /** Begins the display of a phase. */
  PhaseView begin(PhaseStatus start);

  /** The display of one phase. Called by one thread at a time. */
  interface PhaseView {
    /** Called about once a second. */
    void show(PhaseStatus now);

    /** The phase is over; {@code complete} if it came to its end. */
    void end(PhaseStatus end, boolean complete);
  }
}
