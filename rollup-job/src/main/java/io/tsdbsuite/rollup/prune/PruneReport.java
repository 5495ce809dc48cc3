package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.job.ExitCode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
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
  }

  /** Whether the books close; false if there are none. */
  public boolean booksClose() {
    return books != null && books.close();
  }

  /** Time of the run, seconds. */
  double seconds() {
    return Duration.between(started, ended).toMillis() / 1000.0;
  }

  /** The report as a text table. */
  public String text() {
    StringBuilder out = new StringBuilder();
    line(out, "root", options.root());
    line(out, "keep", options.rule().toString());
    for (NightResult night : nights) {
      line(out, night.date().toString(), night.state() + ": " + night.reason());
    }
    if (books != null) {
      line(out, "HFiles found", books.found().toString());
      line(out, "  kept", books.kept().toString());
      line(out, options.delete() ? "  deleted" : "  to delete", books.deleted().toString());
      line(out, "  too young", books.young().toString());
      line(out, "  failed", books.failed().toString());
      line(out, "books", books.close() ? "close" : "do not close");
    }
    if (unknown > 0) {
      line(
          out,
          "unknown, stay",
          unknown
              + ": "
              + String.join(", ", unknownSamples)
              + (unknown > unknownSamples.size() ? ", ..." : ""));
    }
    line(out, "outcome", outcome());
    return out.toString();
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
      return "planned, nothing was deleted (--delete deletes)"
          + (notWhole.isEmpty()
              ? ""
              : "; of the nights that stay these are not whole: " + notWhole);
    }
    return notWhole.isEmpty()
        ? "done, every night to keep is whole"
        : "done, every night that the rule keeps is whole; of the others that stay these are"
            + " not whole: "
            + notWhole;
  }

  private static void line(StringBuilder out, String name, String value) {
    out.append(String.format(Locale.ROOT, "%-14s %s%n", name, value));
  }
}
