package io.tsdbsuite.format.snapshot;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The naming pattern of snapshots: a text with <code>{table}</code> and <code>{date}</code>
 * (yyyyMMdd), each once. Snapshot names cannot have a colon, so the colon of a table in a namespace
 * becomes a hyphen.
 */
public final class SnapshotPattern {
  /** <code>{table}-{date}</code>, for example {@code tsdb-20261121}. */
  public static final String DEFAULT = "{table}-{date}";

  private static final Pattern FORM =
      Pattern.compile(
          "[A-Za-z0-9_.-]*\\{(?:table\\}[A-Za-z0-9_.-]*\\{date|date\\}[A-Za-z0-9_.-]*\\{table)\\}"
              + "[A-Za-z0-9_.-]*");
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuuMMdd").withResolverStyle(ResolverStyle.STRICT);

  private final String text;

  private SnapshotPattern(String text) {
    this.text = text;
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException with the broken rule
   */
  public static SnapshotPattern parse(String text) {
    if (!FORM.matcher(text).matches() || text.startsWith(".") || text.startsWith("-")) {
      throw new IllegalArgumentException(
          "must have {table} and {date}, each once, and otherwise only letters, digits and _-.");
    }
    return new SnapshotPattern(text);
  }

  /**
   * The name of the snapshot of a table and a date.
   *
   * @param table as HBase writes it: {@code tsdb}, {@code ns:tsdb}
   */
  public String name(String table, LocalDate date) {
    return text.replace("{table}", plain(table)).replace("{date}", DATE.format(date));
  }

  /** The date in the name of a snapshot of this table; empty when the name does not match. */
  public Optional<LocalDate> date(String table, String name) {
    int date0 = text.indexOf("{date}");
    String before = text.substring(0, date0).replace("{table}", plain(table));
    String after = text.substring(date0 + "{date}".length()).replace("{table}", plain(table));
    Matcher matcher =
        Pattern.compile(Pattern.quote(before) + "(\\d{8})" + Pattern.quote(after)).matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(LocalDate.parse(matcher.group(1), DATE));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static String plain(String table) {
    return table.replace(':', '-');
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SnapshotPattern && ((SnapshotPattern) other).text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
