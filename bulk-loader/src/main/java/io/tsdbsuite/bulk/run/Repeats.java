package io.tsdbsuite.bulk.run;

import io.tsdbsuite.job.JobException;

/** Limits the number of times that ranges are compared with the table and written again. */
public final class Repeats {
  /** Above this another writer keeps changing the rows of the load. */
  private static final int MOST = 5;

  private final String then;
  private int times;

  /**
   * @param then the action of the user when the reason has ended, for example {@code resume}
   */
  public Repeats(String then) {
    this.then = then;
  }

  /**
   * Counts one repeat.
   *
   * @param why the finding
   * @throws JobException outside, when this happens too often
   */
  public void next(String why) {
    if (++times > MOST) {
      throw JobException.outside(
          "written ranges were stale %s times, found: %s; when that has ended, %s"
              .formatted(times, why, then));
    }
  }

  /**
   * The warning for the report.
   *
   * @param why the finding
   * @param ranges number of ranges written again
   */
  public static String warning(String why, int ranges) {
    return ("%s: %s range(s) of rows were compared with the table again, and missing rows"
            + " were written")
        .formatted(why, ranges);
  }
}
