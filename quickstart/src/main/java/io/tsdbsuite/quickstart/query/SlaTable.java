package io.tsdbsuite.quickstart.query;

import java.util.List;
import java.util.Locale;

/** Formats the measurements of two delaySlas as a table for the terminal. */
public final class SlaTable {
  private static final int SHOWN = 10;

  private SlaTable() {}

  /**
   * The table; each line ends with a line feed.
   *
   * @param measurements of each range, first with the long delaySla, then with the short one
   */
  public static String of(List<SlaMeasurement> measurements) {
    StringBuilder out = new StringBuilder();
    line(
        out,
        "%-6s %-9s %10s %10s %12s %10s   %s",
        "range",
        "delaySla",
        "median ms",
        "cells",
        "per series",
        "in theory",
        "compared with raw data");
    for (SlaRange range : SlaRange.values()) {
      List<SlaMeasurement> ofRange =
          measurements.stream().filter(each -> each.range() == range).toList();
      for (SlaMeasurement each : ofRange) {
        line(
            out,
            "%-6s %-9s %,10.1f %,10d %,12.0f %,10d   %,d points, %,d differences",
            range.text(),
            text(each.delaySlaHours()),
            each.timings().median(),
            each.rollups().cells() + each.raw().cells(),
            each.cellsPerSeries(),
            each.cellsInTheory(),
            each.compared(),
            each.differences());
        each.comparisons().stream()
            .flatMap(comparison -> comparison.differences().stream())
            .limit(SHOWN)
            .forEach(difference -> line(out, "  %s", difference));
      }
      SlaMeasurement first = ofRange.get(0);
      SlaMeasurement last = ofRange.get(ofRange.size() - 1);
      line(
          out,
          "       %s instead of %s: %.0fx fewer cells, %.1fx faster",
          text(last.delaySlaHours()),
          text(first.delaySlaHours()),
          cellRatio(first, last),
          speedup(first, last));
    }
    return out.toString();
  }

  /** How many times fewer cells are read. */
  public static double cellRatio(SlaMeasurement before, SlaMeasurement after) {
    return before.cellsPerSeries() / after.cellsPerSeries();
  }

  /** How many times faster the median is. */
  public static double speedup(SlaMeasurement before, SlaMeasurement after) {
    return before.timings().median() / after.timings().median();
  }

  /** A delaySla as rollup_config.json writes it. */
  public static String text(int hours) {
    return hours % 24 == 0 ? hours / 24 + "d" : hours + "h";
  }

  private static void line(StringBuilder out, String format, Object... args) {
    out.append(String.format(Locale.ROOT, format, args)).append('\n');
  }
}
