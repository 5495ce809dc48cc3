package io.tsdbsuite.job.report;

import java.util.Locale;

/** Lines of text for people: a group, a name and a count, or a name and a text, in columns. */
public final class TextTable {
  private final StringBuilder out = new StringBuilder();
  private final String countLine;
  private final String textLine;

  /** An empty table with the usual widths. */
  public TextTable() {
    this(18, 40, 18);
  }

  /** An empty table whose columns have these widths, in characters. */
  public TextTable(int group, int name, int count) {
    textLine = "%-" + group + "s %s%n";
    countLine = "%-" + group + "s %-" + name + "s %," + count + "d%n";
  }

  /** Adds a line with a count; the group is empty in all lines of a group but the first. */
  public TextTable count(String group, String name, long count) {
    out.append(String.format(Locale.ROOT, countLine, group, name, count));
    return this;
  }

  /** Adds a line with a text. */
  public TextTable text(String name, String text) {
    out.append(String.format(Locale.ROOT, textLine, name, text));
    return this;
  }

  /** The name of a JSON field as words: {@code bytesRead} as "bytes read". */
  public static String words(String key) {
    return key.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
  }

  /** All lines, each with a line break. */
  @Override
  public String toString() {
    return out.toString();
  }
}
