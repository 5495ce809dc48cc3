package io.tsdbsuite.rollup.pack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.rollup.pack.PackBooks.Count;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The end of packing.
 *
 * @param message why it did not succeed; empty if it did
 * @param input facts about snapshots, tables and window, by the names of the JSON report
 * @param files HFiles that HBase has taken
 * @param windows that were added to the coverage table
 * @param notCovered why there are no windows, or not of the whole time; empty if there are
 */
public record PackReport(
    ExitCode exitCode,
    String message,
    Instant started,
    Instant ended,
    Map<String, String> input,
    PackBooks books,
    int files,
    List<CoverageWindow> windows,
    String notCovered,
    Map<String, Double> phases) {
  private static final String NAME = "rollup-job pack";
  private static final int VERSION = 1;

  /** Whether each part that was read has one fate. */
  public boolean booksClose() {
    return books.close();
  }

  /** The report as JSON and as a table of text; docs/rollup-job.md describes the fields. */
  public Report report() {
    Report report = new Report(NAME, VERSION).outcome(exitCode, message).times(started, ended);
    report.facts("input", input);
    for (String name : List.of("rows", "parts", "slots")) {
      Report.Section section = report.section(name);
      for (Count count : Count.values()) {
        if (count.section.equals(name)) {
          section.count(count.key, books.count(count));
        }
      }
    }
    report.section("hfiles").count("loaded", files);
    report.list("samples", "wrong", books.samples());
    ArrayNode added = report.json().putObject("coverage").putArray("windows");
    for (CoverageWindow window : windows) {
      String from = Instant.ofEpochSecond(window.from()).toString();
      String to = Instant.ofEpochSecond(window.to()).toString();
      added
          .addObject()
          .put("interval", window.interval())
          .put("from", from)
          .put("to", to)
          .put("metrics", window.metrics());
      report
          .table()
          .text(
              "proven",
              "%s from %s to %s of %s".formatted(window.interval(), from, to, window.metrics()));
    }
    report.json().withObject("/coverage").put("reason", notCovered);
    if (!notCovered.isEmpty()) {
      report.table().text("not proven", notCovered);
    }
    report.phases(phases);
    report.json().put("booksClose", booksClose());
    return report.end(booksClose() ? "close" : "DO NOT CLOSE");
  }
}
