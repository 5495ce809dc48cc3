package io.tsdbsuite.report.write;

import java.io.IOException;

/** Writes one report of series or of groups, sequentially. Does not close its target. */
public interface ReportWriter {
  /** Writes the header. */
  void begin() throws IOException;

  /** Writes a series. */
  void series(Series series) throws IOException;

  /** Writes a group. */
  void group(Group group) throws IOException;

  /**
   * Writes the end.
   *
   * @param leftOff number of matching series or groups that --limit leaves out
   */
  void end(long leftOff) throws IOException;
}
