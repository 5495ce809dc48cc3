package io.tsdbsuite.report.write;

import java.io.IOException;

/** Writes one report, sequentially, either of series or of groups. Does not close its target. */
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
   * @param leftOff series or groups that match and are not written, for --limit
   */
  void end(long leftOff) throws IOException;
}
