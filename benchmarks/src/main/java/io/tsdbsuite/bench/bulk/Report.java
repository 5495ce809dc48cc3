package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.measure.Aims;
import io.tsdbsuite.bench.measure.MarkdownTables;
import java.util.Locale;

/** The figures as Markdown; each is also printed immediately. */
final class Report {
  private final Aims aims = new Aims();
  private final MarkdownTables tables = new MarkdownTables();

  Aims aims() {
    return aims;
  }

  MarkdownTables tables() {
    return tables;
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
    return aims.markdown() + tables.markdown();
  }
}
