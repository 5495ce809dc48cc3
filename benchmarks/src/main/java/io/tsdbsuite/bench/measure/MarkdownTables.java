package io.tsdbsuite.bench.measure;

import java.util.Arrays;

/** Tables of figures in Markdown. Each row is also printed immediately. */
public final class MarkdownTables {
  private final StringBuilder text = new StringBuilder();

  /** Starts a table. */
  public void table(String... columns) {
    text.append('\n');
    line(columns);
    line(Arrays.stream(columns).map(column -> "---").toArray(String[]::new));
  }

  /** Adds a row to the table started last, and prints it. */
  public void row(String... fields) {
    line(fields);
    System.out.println(String.join(" | ", fields));
  }

  private void line(String... fields) {
    text.append("| ").append(String.join(" | ", fields)).append(" |\n");
  }

  /** All tables, an empty line before each. */
  public String markdown() {
    return text.toString();
  }
}
