package io.tsdbsuite.bench.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The figures of a command as Markdown and as JSON; each is also printed immediately. Made before
 * the measurement, since it has the load before it.
 */
public final class Report {
  private final String command;
  private final double loadBefore = Machine.load();
  private final Aims aims = new Aims();
  private final MarkdownTables tables = new MarkdownTables();
  private final StringBuilder facts = new StringBuilder();
  private final Map<String, List<Map<String, Object>>> figures = new LinkedHashMap<>();

  /**
   * A report without figures.
   *
   * @param command as users type it, for example {@code make bench-rollup}
   */
  public Report(String command) {
    this.command = command;
  }

  /** Adds an upper limit. */
  public void atMost(String aim, String unit, double limit, double found) {
    aims.atMost(aim, unit, limit, found);
    aim(aim, "at most", limit, found, found <= limit);
  }

  /** Adds a lower limit. */
  public void atLeast(String aim, String unit, double limit, double found) {
    aims.atLeast(aim, unit, limit, found);
    aim(aim, "at least", limit, found, found >= limit);
  }

  private void aim(String aim, String sense, double limit, double found, boolean holds) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("aim", aim);
    row.put("sense", sense);
    row.put("limit", limit);
    row.put("found", found);
    row.put("holds", holds);
    figure("aims", row);
  }

  /** The tables, after those of the aims. */
  public MarkdownTables tables() {
    return tables;
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
    tables.table(columns.split(" \\| ", -1));
  }

  /**
   * Adds a row to the table started last, and prints it.
   *
   * @param format with {@code " | "} between the fields
   */
  // The annotation is in no jar of the benchmarks' class path.
  @SuppressWarnings("AnnotateFormatMethod")
  public void row(String format, Object... values) {
    tables.row(String.format(Locale.ROOT, format, values).split(" \\| ", -1));
  }

  /**
   * Adds a figure to the JSON.
   *
   * @param part part of the benchmark
   * @param values numbers and texts by name, units in the names
   */
  public void figure(String part, Map<String, Object> values) {
    figures.computeIfAbsent(part, p -> new ArrayList<>()).add(values);
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

  /** Command, date, commit, machine, JVM and load, without a full stop. */
  public String head() {
    return String.format(
        Locale.ROOT,
        "Command: `%s`, %s, commit %s. Machine: %s, JDK %s. Load average %.1f before and %.1f"
            + " after",
        command,
        today(),
        Machine.commit(),
        Machine.cores(),
        Machine.jdk(),
        loadBefore,
        Machine.load());
  }

  private static String today() {
    return LocalDate.now(Clock.systemUTC()).toString();
  }

  /** What a document has between its marks: head, facts, aims and tables. */
  public String section() {
    return head() + "." + facts + "\n" + (figures.containsKey("aims") ? "\n" : "") + markdown();
  }

  /** Whether there are figures for the JSON beside the aims. */
  public boolean hasFigures() {
    return figures.keySet().stream().anyMatch(part -> !part.equals("aims"));
  }

  /** The aims and all tables. */
  public String markdown() {
    return (figures.containsKey("aims") ? aims.markdown() : "") + tables.markdown();
  }

  /** Writes the JSON: a description of the machine, then the figures of each part. */
  public void writeJson(Path file) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("command", command);
    all.put("date", today());
    all.put("commit", Machine.commit());
    all.put("machine", Machine.cores());
    all.put("jdk", Machine.jdk());
    all.put("loadBefore", loadBefore);
    all.put("loadAfter", Machine.load());
    all.putAll(figures);
    Files.createDirectories(file.toAbsolutePath().getParent());
    String json =
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(all);
    Files.writeString(file, json + "\n");
  }
}
