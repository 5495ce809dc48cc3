package io.tsdbsuite.rollup.tiers.idle;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.job.report.TextTable;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The report of {@code rollup-job tiers prove --idle}; docs/tiers.md has its fields.
 *
 * @param message why the exit code is not 0; empty when it is
 * @param input facts about the input, by the names of the JSON report
 */
public record IdleReport(
    ExitCode exitCode,
    String message,
    Instant started,
    Instant ended,
    Map<String, String> input,
    List<Entry> entries,
    List<String> warnings) {
  private static final int VERSION = 1;

  /**
   * What was found of an entry.
   *
   * @param number of the entry, from 1
   * @param before the time from which on a series must have no write
   * @param read series that have rows
   * @param idle those that the proofs name
   * @param live those with a write at that time or later
   * @param kept others with a row that stays, by its first reason
   * @param left idle ones that are too many for one proof
   * @param rows rows read
   * @param rowsOfSeries the same by the sums of the series
   * @param series the file of the series; null if none was written
   * @param tables what goes of each table, in the order of the proofs
   */
  record Entry(
      int number,
      String match,
      int idleDays,
      Instant before,
      long read,
      long idle,
      long live,
      SortedMap<String, Long> kept,
      long left,
      long rows,
      long rowsOfSeries,
      Proof.@Nullable Series series,
      List<Table> tables) {
    Entry with(Proof.@Nullable Series written) {
      return new Entry(
          number,
          match,
          idleDays,
          before,
          read,
          idle,
          live,
          kept,
          left,
          rows,
          rowsOfSeries,
          written,
          tables);
    }

    boolean booksClose() {
      long stay = kept.values().stream().mapToLong(Long::longValue).sum();
      return read == idle + live + stay + left && rows == rowsOfSeries;
    }
  }

  /**
   * What goes of a table.
   *
   * @param file name of its proof, if one was written
   * @param kept rows that stay though their series goes
   */
  record Table(
      String table,
      String file,
      long rows,
      long annotatedRows,
      long points,
      SortedMap<String, Long> kept) {}

  /** Whether each series that was read has one outcome, and each row a series. */
  boolean booksClose() {
    return entries.stream().allMatch(Entry::booksClose);
  }

  /** The report. */
  public Report report() {
    Report report =
        new Report("rollup-job tiers prove --idle", VERSION)
            .outcome(exitCode, message)
            .times(started, ended);
    report.facts("input", input);
    ArrayNode array = report.json().putArray("entries");
    entries.forEach(entry -> entry(entry, array.addObject(), report.table()));
    report.list("warnings", "warning", warnings);
    report.json().put("booksClose", booksClose());
    return report.end(booksClose() ? "close" : "DO NOT CLOSE");
  }

  private static void entry(Entry entry, ObjectNode json, TextTable out) {
    json.put("entry", entry.number())
        .put("match", entry.match())
        .put("idleDays", entry.idleDays())
        .put("before", entry.before().toString());
    ObjectNode series =
        json.putObject("series")
            .put("read", entry.read())
            .put("idle", entry.idle())
            .put("live", entry.live())
            .put("left", entry.left());
    entry.kept().forEach(series.putObject("kept")::put);
    out.text("entry " + entry.number(), entry.match() + ", no write since " + entry.before())
        .count("", "series read", entry.read())
        .count("", "  idle", entry.idle())
        .count("", "  live", entry.live());
    entry.kept().forEach((why, count) -> out.count("", "  kept: " + TextTable.words(why), count));
    if (entry.left() > 0) {
      out.count("", "  idle, left for the next proof", entry.left());
    }
    Proof.Series file = entry.series();
    if (file != null) {
      json.put("file", file.file()).put("sha256", file.sha256());
    }
    ArrayNode tables = json.putArray("tables");
    for (Table table : entry.tables()) {
      ObjectNode node =
          tables
              .addObject()
              .put("table", table.table())
              .put("rows", table.rows())
              .put("annotatedRows", table.annotatedRows())
              .put("points", table.points());
      table.kept().forEach(node.putObject("kept")::put);
      if (file != null) {
        node.put("file", table.file());
      }
      out.text(
          "",
          String.format(
              Locale.ROOT,
              "%s: %,d rows and %,d with annotations may lose %,d %s",
              table.table(),
              table.rows(),
              table.annotatedRows(),
              table.points(),
              table.table().equals("raw") ? "points" : "cells"));
    }
  }
}
