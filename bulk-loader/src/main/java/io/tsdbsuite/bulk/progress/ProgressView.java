package io.tsdbsuite.bulk.progress;

/** Displays the progress of one phase. Only one thread at a time calls its methods. */
interface ProgressView {
  /** Displays nothing. */
  ProgressView NONE =
      new ProgressView() {
        @Override
        public void show(PhaseStatus now) {}

        @Override
        public void end(PhaseStatus end, boolean complete) {}
      };

  /** Updates the display; called about once a second. */
  void show(PhaseStatus now);

  /**
   * Ends the display.
   *
   * @param end the last status of the phase
   * @param complete whether the phase did all of its work
   */
  void end(PhaseStatus end, boolean complete);
}
