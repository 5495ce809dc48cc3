package io.tsdbsuite.rollup.load;

import io.tsdbsuite.coverage.CoverageWindow;
import java.time.Instant;
import java.util.List;

/**
 * What a load, or {@code coverage add}, has written into the coverage table.
 *
 * @param table its name
 * @param windows written by this load or by an earlier one of the run
 * @param reason why there are none; otherwise empty
 * @param incomplete whether the reason is that rollups of the run are not in the tables
 */
public record CoverageOutcome(
    String table, List<CoverageWindow> windows, String reason, boolean incomplete) {
  /** What was written, or why nothing was. */
  public CoverageOutcome(String table, List<CoverageWindow> windows, String reason) {
    this(table, windows, reason, false);
  }

  /** Nothing was written. */
  public static CoverageOutcome none(String table, String reason) {
    return new CoverageOutcome(table, List.of(), reason);
  }

  /** What was written, one line for each window, or why nothing was. */
  public List<String> lines() {
    return reason.isEmpty()
        ? windows.stream().map(CoverageOutcome::text).toList()
        : List.of("none: " + reason);
  }

  /** A window for people. */
  static String text(CoverageWindow window) {
    String times =
        window.interval()
            + ", "
            + Instant.ofEpochSecond(window.from())
            + " to "
            + Instant.ofEpochSecond(window.to())
            + ", as of "
            + Instant.ofEpochMilli(window.asOf())
            + (window.metrics().equals("*") ? "" : ", metrics " + window.metrics());
    return window.isRefresh()
        ? times + ", changes since " + Instant.ofEpochMilli(window.since())
        : times;
  }
}
