package io.tsdbsuite.bench.rollup;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tsdbsuite.bench.measure.Aims;
import io.tsdbsuite.bench.measure.MarkdownTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures as Markdown and as JSON; each is also printed immediately. */
final class Report {
  private final Aims aims = new Aims();
  private final MarkdownTables tables = new MarkdownTables();
  private final Map<String, List<Map<String, Object>>> figures = new LinkedHashMap<>();

  /** Adds an upper limit. */
  void atMost(String aim, String unit, double limit, double found) {
    aims.atMost(aim, unit, limit, found);
    aim(aim, "at most", limit, found, found <= limit);
  }

  /** Adds a lower limit. */
  void atLeast(String aim, String unit, double limit, double found) {
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

  MarkdownTables tables() {
    return tables;
  }

  /**
   * Adds a figure to the JSON.
   *
   * @param part part of the benchmark
   * @param values numbers and texts by name, units in the names
   */
  void figure(String part, Map<String, Object> values) {
    figures.computeIfAbsent(part, p -> new ArrayList<>()).add(values);
  }

  static String number(double value) {
    return String.format(Locale.ROOT, "%,d", Math.round(value));
  }

  static String tenths(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  static String thousandths(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  static String times(double ratio) {
    return String.format(Locale.ROOT, "%.1fx", ratio);
  }

  String markdown() {
    return (figures.containsKey("aims") ? aims.markdown() : "") + tables.markdown();
  }

  /** Writes the JSON: a description of the machine, then the figures of each part. */
  void writeJson(Path file, Map<String, Object> head) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>(head);
    all.putAll(figures);
    Files.createDirectories(file.toAbsolutePath().getParent());
    String json =
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(all);
    Files.writeString(file, json + "\n");
  }
}
