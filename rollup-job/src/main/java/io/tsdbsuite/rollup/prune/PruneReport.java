package io.tsdbsuite.rollup.prune;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.job.report.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The report of {@code rollup-job prune}, also of a failed run.
 *
 * @param exitCode exit code of the process
 * @param message reason for an exit code other than {@link ExitCode#DONE}; otherwise empty
 * @param started start of the run
 * @param ended end of the run
 * @param options its options
 * @param nights all nights, the newest first; empty if the run ended before it had a plan
 * @param books of the store files; null if the run ended before it had a plan
 * @param unknown number of files and directories that an export does not write
 * @param unknownSamples the first of them
 * @param warnings one line each
 */
public record PruneReport(
    ExitCode exitCode,
    String message,
    Instant started,
    Instant ended,
    PruneOptions options,
    List<NightResult> nights,
    @Nullable PruneBooks books,
    long unknown,
    List<String> unknownSamples,
    List<String> warnings) {
  private static final int VERSION = 1;

  /**
   * What became of a night.
   *
   * @param date the date in the names of its snapshots
   * @param snapshots names of its snapshots
   * @param state {@code kept}, {@code to delete} or {@code deleted}
   * @param reason why
   * @param notWhole whether it stays and was not whole when the run began
   */
  public record NightResult(
      LocalDate date, List<String> snapshots, String state, String reason, boolean notWhole) {
    static NightResult of(Nights.Night night, boolean notWhole) {
      return new NightResult(
          night.date(),
          night.snapshots().stream().map(SnapshotDir::name).toList(),
          night.state().name().toLowerCase(Locale.ROOT).replace('_', ' '),
          night.reason(),
          notWhole);
    }

    private void write(ObjectNode json) {
      json.put("date", date.toString())
          .put("state", state)
          .put("reason", reason)
          .put("notWhole", notWhole);
      snapshots.forEach(json.putArray("snapshots")::add);
    }
  }

  /** Whether the books close; false if there are none. */
  public boolean booksClose() {
    return books != null && books.close();
  }

  /** The report as JSON and as a table of text; docs/prune.md describes the fields. */
  public Report report() {
    Report report =
        new Report("rollup-job prune", VERSION, new TextTable(14, 40, 18))
            .outcome(exitCode, message)
            .times(started, ended);
    ObjectNode json = report.json();
    TextTable table = report.table();
    json.put("seconds", Duration.between(started, ended).toMillis() / 1000.0);
    options(json);
    table.text("root", options.root()).text("keep", options.rule().toString());
    json.put("booksClose", booksClose());
    for (NightResult night : nights) {
      table.text(night.date().toString(), night.state() + ": " + night.reason());
    }
    if (books != null) {
      hfiles(books, json.putObject("hfiles"), table);
    }
    ArrayNode array = json.putArray("nights");
    nights.forEach(night -> night.write(array.addObject()));
    ObjectNode others = json.putObject("unknown").put("count", unknown);
    unknownSamples.forEach(others.putArray("samples")::add);
    warnings.forEach(json.putArray("warnings")::add);
    if (unknown > 0) {
      String rest = unknown > unknownSamples.size() ? ", ..." : "";
      table.text("unknown, stay", unknown + ": " + String.join(", ", unknownSamples) + rest);
    }
    table.text("outcome", outcome());
    return report;
  }

  private void options(ObjectNode json) {
    json.put("snapshotRoot", options.root());
    ArrayNode tables = json.putArray("tables");
    options.tables().stream().map(TableName::getNameAsString).forEach(tables::add);
    json.put("snapshotPattern", options.names().toString());
    json.putObject("keep")
        .put("days", options.rule().days())
        .put("weeks", options.rule().weeks())
        .put("months", options.rule().months());
    json.put("graceSeconds", options.grace().toSeconds()).put("delete", options.delete());
  }

  private void hfiles(PruneBooks of, ObjectNode json, TextTable table) {
    amount(of.found(), json.putObject("found"), table, "HFiles found");
    amount(of.kept(), json.putObject("kept"), table, "  kept");
    if (options.delete()) {
      amount(of.deleted(), json.putObject("deleted"), table, "  deleted");
    } else {
      amount(of.deleted(), json.putObject("toDelete"), table, "  to delete");
    }
    amount(of.young(), json.putObject("young"), table, "  too young");
    amount(of.failed(), json.putObject("failed"), table, "  failed");
    table.text("books", of.close() ? "close" : "do not close");
  }

  private static void amount(
      PruneBooks.Amount amount, ObjectNode json, TextTable table, String name) {
    json.put("files", amount.files()).put("bytes", amount.bytes());
    table.text(name, amount.toString());
  }

  private String outcome() {
    if (exitCode != ExitCode.DONE) {
      return exitCode.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
    String notWhole =
        nights.stream()
            .filter(NightResult::notWhole)
            .map(night -> night.date() + " (" + night.reason() + ")")
            .collect(Collectors.joining(", "));
    if (!options.delete()) {
      return "planned, nothing was deleted (--delete deletes)%s"
          .formatted(
              notWhole.isEmpty()
                  ? ""
                  : "; of the nights that stay these are not whole: " + notWhole);
    }
    return notWhole.isEmpty()
        ? "done, every night to keep is whole"
        : "done, every night that the rule keeps is whole; of the others that stay these are"
            + " not whole: "
            + notWhole;
  }
}
