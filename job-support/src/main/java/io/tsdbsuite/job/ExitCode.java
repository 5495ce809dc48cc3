package io.tsdbsuite.job;

/** Exit status of the process; the same codes for every command of the suite. */
public enum ExitCode {
  /** All done and the books close. */
  DONE(0),
  /** Finished or stopped because of bad input, which was counted and named. */
  BAD_INPUT(1),
  /** Wrong usage or configuration; running again without a change cannot help. */
  USAGE(2),
  /** An outside system failed; the run can be repeated as it is. */
  OUTSIDE(3),
  /**
   * A defect of the suite; neither the input nor the configuration nor a repetition can mend it.
   */
  DEFECT(4);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  /** The process exit status, 0 to 4. */
  public int code() {
    return code;
  }
}
