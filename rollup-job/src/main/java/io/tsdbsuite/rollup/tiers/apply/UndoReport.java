package io.tsdbsuite.rollup.tiers.apply;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.job.report.TextTable;
import java.time.Instant;
import java.util.List;

/**
 * The report of {@code tiers undo}, also of a failed one.
 *
 * @param exitCode exit code of the process
 * @param message reason for an exit code other than {@link ExitCode#DONE}; otherwise empty
 * @param table whose rows come back; empty for idle series
 * @param planned days of which an apply has deleted rows, the newest first; empty if the check has
 *     found problems
 * @param floors that are lowered, as they are now
 * @param days those that are back
 */
public record UndoReport(
    ExitCode exitCode,
    String message,
    Instant started,
    Instant ended,
    String table,
    List<Day> planned,
    List<CoverageFloor> floors,
    List<Day> days) {
  private static final String NAME = "rollup-job tiers undo";
  private static final int VERSION = 1;
  private static final String NEXT =
      "queries read the raw data of these days until a run has rolled them up again, and was"
          + " loaded";

  /**
   * A day.
   *
   * @param rows for which the apply has made markers, with cells
   * @param restored those of which the table lacked cells
   * @param cells that it lacked
   * @param files HFiles handed to HBase
   */
  public record Day(ProvenName of, long rows, long restored, long cells, int files) {}

  /** Whether all planned days, with all their rows, are back. */
  public boolean booksClose() {
    return days.size() == planned.size() && days.stream().allMatch(day -> day.restored <= day.rows);
  }

  /** The report as JSON and as a table of text; docs/tiers.md describes the fields. */
  public Report report() {
    Report report = new Report(NAME, VERSION).outcome(exitCode, message).times(started, ended);
    ObjectNode json = report.json();
    TextTable text = report.table();
    if (!table.isEmpty()) {
      json.put("table", table);
      text.text("table", table);
    }
    json.put("booksClose", booksClose());
    ArrayNode all = json.putArray("planned");
    planned.forEach(day -> day.of.write(all.addObject()));
    ArrayNode back = json.putArray("days");
    for (Day day : days) {
      ObjectNode each = back.addObject();
      day.of.write(each);
      each.put("cells", day.cells)
          .put("filesLoaded", day.files)
          .putObject("rows")
          .put("planned", day.rows)
          .put("restored", day.restored)
          .put("alreadyThere", day.rows - day.restored);
      text.text(day.of.match(), day.of.rows());
      text.count("rows", "planned", day.rows);
      text.count("", "restored", day.restored);
      text.count("", "already there", day.rows - day.restored);
      text.text("HFiles loaded", day.files + " with " + day.cells + " cells");
    }
    ArrayNode lowered = json.putArray("floors");
    for (CoverageFloor floor : floors) {
      String before = Instant.ofEpochSecond(floor.before()).toString();
      lowered.addObject().put("metrics", floor.metrics()).put("before", before);
      text.text("floor", floor.metrics() + ": lowered to " + before);
    }
    if (floors.stream().anyMatch(floor -> floor.level().equals(CoverageFloor.RAW))) {
      text.text("next", NEXT);
    } else if (floors.isEmpty() && exitCode == ExitCode.DONE && !table.isEmpty()) {
      text.text("floor", "none of an apply is above --from");
    }
    return report.end(booksClose() ? "close" : "do not close");
  }
}
