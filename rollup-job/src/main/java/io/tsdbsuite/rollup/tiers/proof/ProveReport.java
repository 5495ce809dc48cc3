package io.tsdbsuite.rollup.tiers.proof;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.job.report.TextTable;
import io.tsdbsuite.rollup.tiers.Policy;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The report of {@code rollup-job tiers prove}; docs/tiers.md has its fields.
 *
 * @param message why the exit code is not 0; empty when it is
 * @param input facts about the input, by the names of the JSON report
 * @param planned days of entries that were found
 * @param days the same by day and entry
 */
public record ProveReport(
    ExitCode exitCode,
    String message,
    Instant started,
    Instant ended,
    Map<String, String> input,
    long planned,
    List<Day> days,
    List<String> warnings) {
  private static final int VERSION = 1;

  /** What became of a day of an entry. */
  public enum Outcome {
    /** Its rollups are equal, and its proof is written. */
    PROVEN("proven"),
    /** It has a proof of the same snapshots. */
    ALREADY_PROVEN("alreadyProven"),
    /** It cannot be proven; a former proof is removed. */
    REFUSED("refused"),
    /** Its rows were made of data that are not deleted yet; a former proof is removed. */
    WAITING("waiting"),
    /** The run ended before. */
    NOT_REACHED("notReached");

    private final String key;

    Outcome(String key) {
      this.key = key;
    }
  }

  /**
   * A day of an entry.
   *
   * @param table {@code raw}, or the interval of a rollup table
   * @param day in days since the epoch; the first, if the rows of the table are longer
   * @param entry number of the entry, from 1
   * @param match its pattern
   * @param reason why it was refused, or waits; otherwise empty
   * @param file name of its proof, or of the report of the comparison if there was one
   * @param proof null unless it is proven
   */
  public record Day(
      String table,
      int day,
      int entry,
      String match,
      Outcome outcome,
      String reason,
      String file,
      @Nullable Totals proof) {}

  /**
   * The sums of a proof, which itself may be large.
   *
   * @param rows as those of {@link Proof.Rows}
   * @param kept as {@link Proof#kept}
   * @param rollups the intervals that were compared
   */
  public record Totals(
      String sha256,
      long rows,
      long annotatedRows,
      long points,
      SortedMap<String, Long> kept,
      List<String> rollups) {
    static Totals of(Proof proof) {
      Collection<Proof.Rows> metrics = proof.metrics().values();
      return new Totals(
          proof.sha256(),
          metrics.stream().mapToLong(Proof.Rows::rows).sum(),
          metrics.stream().mapToLong(Proof.Rows::annotatedRows).sum(),
          metrics.stream().mapToLong(Proof.Rows::points).sum(),
          proof.kept(),
          List.copyOf(proof.rollups().keySet()));
    }
  }

  /** Days of an outcome. */
  long count(Outcome outcome) {
    return days.stream().filter(day -> day.outcome() == outcome).count();
  }

  /** Whether each day that was found has one outcome. */
  boolean booksClose() {
    return planned
            == days.stream()
                .map(day -> List.of(day.table(), day.day(), day.entry()))
                .distinct()
                .count()
        && planned == days.size();
  }

  /** The report. */
  public Report report() {
    Report report =
        new Report("rollup-job tiers prove", VERSION)
            .outcome(exitCode, message)
            .times(started, ended);
    report.facts("input", input);
    Report.Section books = report.section("days").count("planned", planned);
    for (Outcome outcome : Outcome.values()) {
      books.count(outcome.key, count(outcome));
    }
    ArrayNode array = report.json().putArray("byDay");
    days.forEach(day -> day(day, array.addObject(), report.table()));
    report.list("warnings", "warning", warnings);
    report.json().put("booksClose", booksClose());
    return report.end(booksClose() ? "close" : "DO NOT CLOSE");
  }

  private static void day(Day day, ObjectNode json, TextTable table) {
    String date = LocalDate.ofEpochDay(day.day()).toString();
    json.put("table", day.table())
        .put("day", date)
        .put("entry", day.entry())
        .put("match", day.match())
        .put("outcome", day.outcome().key)
        .put("reason", day.reason())
        .put("file", day.file());
    boolean isRaw = day.table().equals(Policy.RAW);
    String of = isRaw ? day.match() : day.table() + " of " + day.match();
    Totals proof = day.proof();
    if (proof == null) {
      if (!day.reason().isEmpty()) {
        table.text(date, "%s: %s: %s".formatted(of, day.outcome().key, day.reason()));
      }
      return;
    }
    json.put("sha256", proof.sha256())
        .put("rows", proof.rows())
        .put("annotatedRows", proof.annotatedRows())
        .put("points", proof.points());
    proof.kept().forEach(json.putObject("kept")::put);
    proof.rollups().forEach(json.putArray("rollups")::add);
    if (day.outcome() == Outcome.PROVEN) {
      String what =
          isRaw
              ? String.format(
                  Locale.ROOT,
                  "%,d rows and %,d with annotations may lose %,d points",
                  proof.rows(),
                  proof.annotatedRows(),
                  proof.points())
              : String.format(
                  Locale.ROOT,
                  "%,d rows of %,d cells may go, %s",
                  proof.rows(),
                  proof.points(),
                  proof.rollups().isEmpty()
                      ? "nothing coarser is kept"
                      : "equal to " + String.join(", ", proof.rollups()));
      String kept =
          proof.kept().isEmpty()
              ? "none"
              : proof.kept().entrySet().stream()
                  .map(each -> each.getValue() + " " + TextTable.words(each.getKey()))
                  .collect(Collectors.joining(", "));
      table.text(date, "%s: proven: %s; rows kept: %s".formatted(of, what, kept));
    }
  }
}
