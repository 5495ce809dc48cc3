package io.tsdbsuite.rollup.prune;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The names of nightly snapshots: a pattern with <code>{table}</code> and <code>{date}</code>
 * (yyyyMMdd), each once. The colon of a table in a namespace becomes a hyphen, because a snapshot's
 * name cannot have one.
 */
public final class SnapshotNames {
  private static final String TABLE = "{table}";
  private static final String DATE = "{date}";
  private static final Pattern FORM =
      Pattern.compile(
          "[A-Za-z0-9_.-]*\\{(?:table\\}[A-Za-z0-9_.-]*\\{date|date\\}[A-Za-z0-9_.-]*\\{table)\\}"
              + "[A-Za-z0-9_.-]*");
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("uuuuMMdd").withResolverStyle(ResolverStyle.STRICT);

  private final String pattern;

  private SnapshotNames(String pattern) {
    this.pattern = pattern;
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException naming the option, the rule and the value
   */
  public static SnapshotNames parse(String option, String pattern) {
    if (!FORM.matcher(pattern).matches() || pattern.startsWith(".") || pattern.startsWith("-")) {
      throw new IllegalArgumentException(
          option
              + " must have {table} and {date}, each once, and otherwise only letters, digits and"
              + " _-., found: "
              + pattern);
    }
    return new SnapshotNames(pattern);
  }

  /** The name of the snapshot of a table and a date. */
  String name(TableName table, LocalDate date) {
    return of(table).replace(DATE, DAY.format(date));
  }

  private String of(TableName table) {
    return pattern.replace(TABLE, table.getNameAsString().replace(':', '-'));
  }

  /** The date in the name of a snapshot of this table; null if it is not such a name. */
  @Nullable LocalDate date(TableName table, String snapshot) {
    String name = of(table);
    int at = name.indexOf(DATE);
    Matcher matcher =
        Pattern.compile(
                Pattern.quote(name.substring(0, at))
                    + "(\\d{8})"
                    + Pattern.quote(name.substring(at + DATE.length())))
            .matcher(snapshot);
    if (!matcher.matches()) {
      return null;
    }
    try {
      return LocalDate.parse(matcher.group(1), DAY);
    } catch (DateTimeException e) {
      return null;
    }
  }

  @Override
  public String toString() {
    return pattern;
  }
}
