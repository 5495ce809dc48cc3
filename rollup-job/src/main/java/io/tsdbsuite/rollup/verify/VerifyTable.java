package io.tsdbsuite.rollup.verify;

import java.util.Locale;

/** Lines of a text table, in the format of the job's report. */
final class VerifyTable {
  private final StringBuilder out = new StringBuilder();

  void line(String group, String name, long value) {
    out.append(String.format(Locale.ROOT, "%-18s %-40s %,18d%n", group, name, value));
  }

  void text(String name, String value) {
    out.append(String.format(Locale.ROOT, "%-18s %s%n", name, value));
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
