package io.tsdbsuite.rollup.verify;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.job.report.Report.Section;
import io.tsdbsuite.job.report.TextTable;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.BooksJson;
import io.tsdbsuite.rollup.report.Count;
import io.tsdbsuite.rollup.report.RunProof;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The report of a comparison.
 *
 * @param exitCode exit code of the process
 * @param message reason for an exit code other than {@link ExitCode#DONE}; otherwise empty
 * @param started start of the run
 * @param ended end of the run
 * @param input facts about the input, by the names of the JSON report
 * @param intervals the rollup intervals, the narrowest first
 * @param levels those of histograms and packed rows that were compared beside them
 * @param from first hour, inclusive
 * @param to last hour, exclusive
 * @param sample the compared series, enlarged if it had too few
 * @param compared books of the comparison
 * @param raw books of the raw snapshot
 * @param oddHistograms metrics of buckets whose histogram is too wide, or lacks the points beside
 *     its cells, by name; not all if they are more than {@link Books#ODD_METRICS}
 * @param stored books of the snapshots of rollup tables; null with a TSD
 * @param gaps why the run proves no coverage although it found no difference, one sentence each,
 *     beside rollups below a floor, which are a gap, too
 * @param phases seconds of wall clock for each phase, in order
 * @param warnings warnings for the operator
 */
public record VerifyReport(
    ExitCode exitCode,
    String message,
    Instant started,
    Instant ended,
    Map<String, String> input,
    List<String> intervals,
    List<String> levels,
    Instant from,
    Instant to,
    SeriesSample sample,
    VerifyBooks compared,
    Books raw,
    SortedMap<String, RunProof.OddMetric> oddHistograms,
    @Nullable StoredBooks stored,
    List<String> gaps,
    Map<String, Double> phases,
    List<String> warnings) {
  private static final String COMPARED = "compared";

  /** The value of {@code report}. */
  public static final String NAME = "rollup-job verify";

  /** The value of {@code v}. */
  public static final int VERSION = 1;

  /** Whether all sums hold. */
  public boolean booksClose() {
    return compared.close() && raw.close();
  }

  /** What histograms lack that equal ones do not show; empty if nothing. */
  public String oddHistogramsText() {
    if (oddHistograms.isEmpty()) {
      return "";
    }
    String metrics = String.join(", ", oddHistograms.keySet().stream().limit(3).toList());
    return ("%s histograms are too wide to be stored, and %s lack the points beside their cells, of"
            + " metrics: %s%s")
        .formatted(
            raw.count(Count.HISTOGRAMS_TOO_WIDE),
            raw.count(Count.HISTOGRAMS_MIXED),
            metrics,
            oddHistograms.size() > 3 ? " and others" : "");
  }

  /** The report as JSON and as a table of text; docs/rollup-verify.md describes the fields. */
  public Report report() {
    Report report = new Report(NAME, VERSION).outcome(exitCode, message).times(started, ended);
    ObjectNode json = report.json();
    TextTable table = report.table();
    String names = String.join(",", intervals);
    table.text("window", names + " from " + from + " to " + to);
    report.facts("input", input);
    json.putObject("window")
        .put("interval", names)
        .put("from", from.toString())
        .put("to", to.toString());
    json.putObject("sample")
        .put("fraction", sample.fraction())
        .put("least", sample.least())
        .put("seed", sample.seed());
    table.text(
        "sample",
        "%s of the series, at least %s, seed %s"
            .formatted(sample.fraction(), sample.least(), sample.seed()));
    json.put("booksClose", booksClose());
    ArrayNode allGaps = json.putArray("gaps");
    gaps.forEach(allGaps::add);
    if (compared.countBelowFloor() > 0) {
      allGaps.add(
          compared.countBelowFloor()
              + " rollups are below the floor of their metrics, where raw data may be gone, and"
              + " were not compared");
    }
    // The table has it after what was read.
    json.putObject(COMPARED);
    table
        .count("raw data", "rows read", raw.count(Count.ROWS_READ))
        .count("", "rows failed", raw.rowsFailed())
        .count("", "days failed", raw.daysFailed())
        .count("", "points aggregated", raw.count(Count.POINTS_AGGREGATED));
    stored(report);
    compared(report);
    json.set("raw", BooksJson.counts(raw));
    json.set("failedSamples", BooksJson.samples(raw));
    samples(json.putObject("samples"), table);
    phases.forEach(json.putObject("secondsByPhase")::put);
    List<String> allWarnings = new ArrayList<>(warnings);
    if (!oddHistograms.isEmpty()) {
      allWarnings.add(oddHistogramsText());
    }
    report.list("warnings", "warning", allWarnings);
    return report.end(booksClose() ? "close" : "DO NOT CLOSE");
  }

  private void stored(Report report) {
    if (stored == null) {
      report.section("tsd").count("queries", compared.queriesAnswered());
      return;
    }
    Section section =
        report
            .section("stored")
            .count("rows", stored.rows())
            .count("cells", stored.cells())
            .count("otherAggregates", "cells of other aggregates", stored.otherAggregates())
            .count("malformed", stored.malformed());
    ObjectNode json = section.json();
    if (stored.cells() > 0) {
      json.put("oldestCell", Instant.ofEpochMilli(stored.oldestCell()).toString());
    }
    json.put("bytesRead", stored.bytesRead()).put("readCalls", stored.readCalls());
    stored.problems().forEach(json.putArray("malformedSamples")::add);
  }

  private void compared(Report report) {
    Section section =
        report
            .section(COMPARED)
            .count("series", compared.seriesCompared())
            .count("rollups", compared.compared());
    long below = compared.countBelowFloor();
    section.json().put("fromRawData", compared.fromRawData()).put("belowFloor", below);
    if (below > 0) {
      report.table().count("", "below the floor, not compared", below);
    }
    for (Verdict verdict : Verdict.values()) {
      section.count(verdict.key(), compared.count(verdict));
    }
    ObjectNode byInterval = section.json().putObject("byInterval");
    List<String> all = new ArrayList<>(intervals);
    all.addAll(levels);
    for (String interval : all) {
      ObjectNode node = byInterval.putObject(interval);
      for (Verdict verdict : Verdict.values()) {
        node.put(verdict.key(), compared.count(interval, verdict));
        if (all.size() > 1) {
          report.table().count(interval, verdict.key(), compared.count(interval, verdict));
        }
      }
    }
  }

  private void samples(ObjectNode json, TextTable table) {
    compared
        .samples()
        .forEach(
            (verdict, list) -> {
              list.forEach(json.withArray(verdict.key())::add);
              list.forEach(sampled -> table.text(verdict.key(), sampled));
            });
    if (stored != null) {
      stored.problems().forEach(problem -> table.text("malformed", problem));
    }
    raw.samples()
        .forEach((reason, list) -> list.forEach(s -> table.text("failed: " + reason.text(), s)));
  }
}
