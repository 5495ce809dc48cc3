package io.tsdbsuite.bench.measure;

import java.util.Locale;

/** Limits and measured values as a Markdown table. */
public final class Aims {
  private final StringBuilder table =
      new StringBuilder(
          """
          | Aim | Limit | Found, worst case | Holds |
          | --- | --- | --- | --- |
          """);

  /** Adds an upper limit. */
  public void atMost(String aim, String unit, double limit, double found) {
    row(aim, "at most", unit, limit, found, found <= limit);
  }

  /** Adds a lower limit. */
  public void atLeast(String aim, String unit, double limit, double found) {
    row(aim, "at least", unit, limit, found, found >= limit);
  }

  private void row(
      String aim, String sense, String unit, double limit, double found, boolean holds) {
    table.append(
        String.format(
            Locale.ROOT,
            "| %s | %s %s%s | %s%s | %s |%n",
            aim,
            sense,
            number(limit),
            unit,
            number(found),
            unit,
            holds ? "yes" : "no"));
  }

  /** At most two decimals, without trailing zeros. */
  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.2f", value);
    return text.replaceAll("\\.?0+$", "");
  }

  /** The table. */
  public String markdown() {
    return table.toString();
  }
}
