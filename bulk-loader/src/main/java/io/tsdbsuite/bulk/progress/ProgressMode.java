package io.tsdbsuite.bulk.progress;

/** Display of the progress: {@code --progress}. */
public enum ProgressMode {
  /** A bar on a terminal, lines elsewhere. */
  AUTO,
  /** A bar that is redrawn in place. */
  BAR,
  /** A line every ten seconds. */
  PLAIN,
  /** Nothing. */
  NONE
}
