package io.tsdbsuite.rollup.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.BooksJson;
import io.tsdbsuite.rollup.report.Count;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * @param from first hour, inclusive
 * @param to last hour, exclusive
 * @param sample the compared series, enlarged if it had too few
 * @param compared books of the comparison
 * @param raw books of the raw snapshot
 * @param stored books of the snapshots of rollup tables; null with a TSD
 * @param gaps why the run proves no coverage although it found no difference, one sentence each
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
    Instant from,
    Instant to,
    SeriesSample sample,
    VerifyBooks compared,
    Books raw,
    @Nullable StoredBooks stored,
    List<String> gaps,
    Map<String, Double> phases,
    List<String> warnings) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The value of {@code report}. */
  public static final String NAME = "rollup-job verify";

  /** The value of {@code v}. */
  public static final int VERSION = 1;

  /** Whether all sums hold. */
  public boolean booksClose() {
    return compared.close() && raw.close();
  }

  /** The report as one JSON object, with a line break at its end. */
  public String json() {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("report", NAME);
    root.put("v", VERSION);
    root.put("state", "ended");
    root.put("exitCode", exitCode.code());
    root.put("outcome", exitCode.name().toLowerCase(Locale.ROOT));
    root.put("message", message);
    root.put("started", started.toString());
    root.put("ended", ended.toString());
    ObjectNode inputNode = root.putObject("input");
    input.forEach(inputNode::put);
    ObjectNode window = root.putObject("window");
    window.put("interval", String.join(",", intervals));
    window.put("from", from.toString());
    window.put("to", to.toString());
    ObjectNode sampleNode = root.putObject("sample");
    sampleNode.put("fraction", sample.fraction());
    sampleNode.put("least", sample.least());
    sampleNode.put("seed", sample.seed());
    root.put("booksClose", booksClose());
    gaps.forEach(root.putArray("gaps")::add);
    ObjectNode comparedNode = root.putObject("compared");
    comparedNode.put("series", compared.seriesCompared());
    comparedNode.put("rollups", compared.compared());
    comparedNode.put("fromRawData", compared.fromRawData());
    for (Verdict verdict : Verdict.values()) {
      comparedNode.put(verdict.key(), compared.count(verdict));
    }
    ObjectNode byInterval = comparedNode.putObject("byInterval");
    for (String interval : intervals) {
      ObjectNode node = byInterval.putObject(interval);
      for (Verdict verdict : Verdict.values()) {
        node.put(verdict.key(), compared.count(interval, verdict));
      }
    }
    if (stored == null) {
      root.putObject("tsd").put("queries", compared.queriesAnswered());
    } else {
      ObjectNode storedNode = root.putObject("stored");
      storedNode.put("rows", stored.rows());
      storedNode.put("cells", stored.cells());
      storedNode.put("otherAggregates", stored.otherAggregates());
      storedNode.put("malformed", stored.malformed());
      if (stored.cells() > 0) {
        storedNode.put("oldestCell", Instant.ofEpochMilli(stored.oldestCell()).toString());
      }
      storedNode.put("bytesRead", stored.bytesRead());
      storedNode.put("readCalls", stored.readCalls());
      stored.problems().forEach(storedNode.putArray("malformedSamples")::add);
    }
    root.set("raw", BooksJson.counts(raw));
    root.set("failedSamples", BooksJson.samples(raw));
    ObjectNode samples = root.putObject("samples");
    compared
        .samples()
        .forEach((verdict, list) -> list.forEach(samples.withArray(verdict.key())::add));
    ObjectNode phaseNode = root.putObject("secondsByPhase");
    phases.forEach(phaseNode::put);
    warnings.forEach(root.putArray("warnings")::add);
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values cannot fail to be written", e);
    }
  }

  /** The report as a text table. */
  public String table() {
    VerifyTable table = new VerifyTable();
    table.text("window", String.join(",", intervals) + " from " + from + " to " + to);
    input.forEach(
        (key, value) ->
            table.text(key.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT), value));
    table.text(
        "sample",
        sample.fraction()
            + " of the series, at least "
            + sample.least()
            + ", seed "
            + sample.seed());
    table.line("raw data", "rows read", raw.count(Count.ROWS_READ));
    table.line("", "rows failed", raw.rowsFailed());
    table.line("", "days failed", raw.daysFailed());
    table.line("", "points aggregated", raw.count(Count.POINTS_AGGREGATED));
    if (stored == null) {
      table.line("tsd", "queries", compared.queriesAnswered());
    } else {
      table.line("stored", "rows", stored.rows());
      table.line("", "cells", stored.cells());
      table.line("", "cells of other aggregates", stored.otherAggregates());
      table.line("", "malformed", stored.malformed());
    }
    table.line("compared", "series", compared.seriesCompared());
    table.line("", "rollups", compared.compared());
    for (Verdict verdict : Verdict.values()) {
      table.line("", verdict.key(), compared.count(verdict));
    }
    if (intervals.size() > 1) {
      for (String interval : intervals) {
        for (Verdict verdict : Verdict.values()) {
          table.line(interval, verdict.key(), compared.count(interval, verdict));
        }
      }
    }
    compared
        .samples()
        .forEach((verdict, list) -> list.forEach(sample -> table.text(verdict.key(), sample)));
    if (stored != null) {
      stored.problems().forEach(problem -> table.text("malformed", problem));
    }
    raw.samples()
        .forEach((reason, list) -> list.forEach(s -> table.text("failed: " + reason.text(), s)));
    warnings.forEach(warning -> table.text("warning", warning));
    table.text("books", booksClose() ? "close" : "DO NOT CLOSE");
    table.text(
        "outcome",
        exitCode == ExitCode.DONE ? "done" : "exit code " + exitCode.code() + ": " + message);
    return table.toString();
  }
}
