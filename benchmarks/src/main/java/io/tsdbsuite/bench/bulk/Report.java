package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.measure.Aims;
import java.util.Arrays;
import java.util.Locale;

/** The figures as Markdown; each is also printed immediately. */
final class Report {
  private final Aims aims = new Aims();
  private final StringBuilder tables = new StringBuilder();

  Aims aims() {
    return aims;
  }

  /** Starts a table. */
  void table(String... columns) {
    tables.append('\n');
    line(columns);
    line(Arrays.stream(columns).map(column -> "---").toArray(String[]::new));
  }

  void row(String... fields) {
    line(fields);
    System.out.println(String.join(" | ", fields));
  }

  private void line(String... fields) {
    tables.append("| ").append(String.join(" | ", fields)).append(" |\n");
  }

  /** Formats a number in millions. */
  static String millions(double number) {
    return String.format(Locale.ROOT, number < 1e6 ? "%.3f" : "%.1f", number / 1e6);
  }

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.1f", seconds);
  }

  static String cents(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }

  String markdown() {
    return aims.markdown() + tables;
  }
}
