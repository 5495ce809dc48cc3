package io.tsdbsuite.bulk.progress;

import io.tsdbsuite.job.JobException;
import java.util.Locale;

/** Display of the progress: {@code --progress}. */
public enum ProgressMode {
  /** A bar on a terminal, lines elsewhere. */
  AUTO,
  /** A bar that is redrawn in place. */
  BAR,
  /** A line every ten seconds. */
  PLAIN,
  /** Nothing. */
  NONE;

  /**
   * The mode of this name, in lower case.
   *
   * @throws JobException usage, with all names, when there is none
   */
  public static ProgressMode of(String key) {
    for (ProgressMode mode : values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(key)) {
        return mode;
      }
    }
    throw JobException.usage(
        "--progress must be one of auto, bar, plain, none, found '" + key + "'");
  }
}
