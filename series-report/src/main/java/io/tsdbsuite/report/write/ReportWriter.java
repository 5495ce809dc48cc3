package io.tsdbsuite.report.write;

import java.io.IOException;

/**
 * Writes one report, in one go, either of series or of groups. Does not close what it writes to.
 */
public interface ReportWriter {
  /** Writes what comes before the first series or group. */
  void begin() throws IOException;

  /** Writes a series. */
  void series(Series series) throws IOException;

  /** Writes a group. */
  void group(Group group) throws IOException;

  /**
   * Writes what comes after the last one.
   *
   * @param leftOff series or groups that match and are not written, for --limit
   */
  void end(long leftOff) throws IOException;
}
