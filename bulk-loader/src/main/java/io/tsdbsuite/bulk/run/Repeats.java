package io.tsdbsuite.bulk.run;

import io.tsdbsuite.job.JobException;

/** How often ranges of rows that were written are compared with the table and written anew. */
public final class Repeats {
  /** More often is no accident: another writer uses the rows of the load all the time. */
  private static final int MOST = 5;

  private final String then;
  private int times;

  /**
   * @param then what the user does when the reason has ended, for example {@code resume}
   */
  public Repeats(String then) {
    this.then = then;
  }

  /**
   * One more time.
   *
   * @param why what was found
   * @throws JobException outside, when this happens too often
   */
  public void next(String why) {
    if (++times > MOST) {
      throw JobException.outside(
          "what was written was not sure "
              + times
              + " times, found: "
              + why
              + "; when that has ended, "
              + then,
          null);
    }
  }

  /**
   * What the report says of it.
   *
   * @param why what was found
   * @param ranges how many ranges were written anew
   */
  public static String warning(String why, int ranges) {
    return why
        + ": "
        + ranges
        + " range(s) of rows were compared with the table once more, and written where that was"
        + " due";
  }
}
