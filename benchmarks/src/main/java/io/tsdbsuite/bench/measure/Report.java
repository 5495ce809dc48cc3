package io.tsdbsuite.bench.measure;

import java.time.Clock;
import java.time.LocalDate;
import java.util.Locale;

/**
 * The figures of a command as Markdown: a head, the aims, the tables. Made before the measurement,
 * since it has the load before it.
 */
public final class Report {
  private final String command;
  private final double loadBefore = Machine.load();
  private final StringBuilder facts = new StringBuilder();
  private final StringBuilder aims = new StringBuilder();
  private final StringBuilder tables = new StringBuilder();

  /**
   * A report without figures.
   *
   * @param command as users type it, for example {@code make bench-rollup}
   */
  public Report(String command) {
    this.command = command;
  }

  /** Adds an upper limit, and the worst value found. */
  public void atMost(String aim, String unit, double limit, double found) {
    aim(aim, "at most", unit, limit, found, found <= limit);
  }

  /** Adds a lower limit, and the worst value found. */
  public void atLeast(String aim, String unit, double limit, double found) {
    aim(aim, "at least", unit, limit, found, found >= limit);
  }

  private void aim(
      String aim, String sense, String unit, double limit, double found, boolean holds) {
    if (aims.length() == 0) {
      aims.append(
          """

          | Aim | Limit | Found, worst case | Holds |
          | --- | --- | --- | --- |
          """);
    }
    aims.append(
        String.format(
            Locale.ROOT,
            "| %s | %s %s%s | %s%s | %s |\n",
            aim,
            sense,
            plain(limit),
            unit,
            plain(found),
            unit,
            holds ? "yes" : "no"));
  }

  /** At most two decimals, without trailing zeros. */
  private static String plain(double value) {
    return String.format(Locale.ROOT, "%.2f", value).replaceAll("\\.?0+$", "");
  }

  /** Adds a sentence to {@link #section}, for example the number of rounds. */
  // The annotation is in no jar of the benchmarks' class path.
  @SuppressWarnings("AnnotateFormatMethod")
  public void fact(String format, Object... values) {
    facts.append(' ').append(String.format(Locale.ROOT, format, values)).append('.');
  }

  /**
   * Starts a table.
   *
   * @param columns with {@code " | "} between them
   */
  public void table(String columns) {
    tables.append('\n');
    line(columns);
    line(columns.replaceAll("[^|]+", " --- ").strip());
  }

  /**
   * Adds a row to the table started last, and prints it.
   *
   * @param format with {@code " | "} between the fields
   */
  // The annotation is in no jar of the benchmarks' class path.
  @SuppressWarnings("AnnotateFormatMethod")
  public void row(String format, Object... values) {
    String fields = String.format(Locale.ROOT, format, values);
    line(fields);
    System.out.println(fields);
  }

  private void line(String fields) {
    tables.append("| ").append(fields).append(" |\n");
  }

  /** A whole number. */
  public static String number(double value) {
    return String.format(Locale.ROOT, "%,d", Math.round(value));
  }

  /** One decimal. */
  public static String tenths(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** Three decimals. */
  public static String thousandths(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  /** A ratio, one decimal. */
  public static String times(double ratio) {
    return String.format(Locale.ROOT, "%.1fx", ratio);
  }

  /** Text between the marks of a document: command, machine and load, facts, aims and tables. */
  public String section() {
    return String.format(
            Locale.ROOT,
            "Command: `%s`, %s, commit %s. Machine: %s, JDK %s. Load average %.1f before and %.1f"
                + " after.",
            command,
            LocalDate.now(Clock.systemUTC()),
            Machine.commit(),
            Machine.cores(),
            Machine.jdk(),
            loadBefore,
            Machine.load())
        + facts
        + "\n"
        + aims
        + tables;
  }
}
