package io.tsdbsuite.nightly.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tsdbsuite.job.FileReplacement;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.nightly.report.NightResult.TierDay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;

/**
 * The report of a run, for metrics and people. No run reads it: what is done is in the reports of
 * the job.
 */
public final class NightReportFile {
  private static final int VERSION = 1;

  private NightReportFile() {}

  /**
   * Replaces the file.
   *
   * @throws IOException when it cannot be written
   */
  public static void write(Path file, NightResult result, Instant started, Instant ended)
      throws IOException {
    Collection<DayResult> days = result.days();
    Report report =
        new Report("rollup-nightly", VERSION)
            .outcome(result.exitCode(), result.line())
            .times(started, ended);
    report
        .section("days")
        .count("told", days.size())
        .count("failed", days.stream().filter(DayResult::isFailed).count())
        .count("rolledUp", days.stream().filter(DayResult::isRolledUp).count())
        .count("waiting", days.stream().filter(DayResult::isWaiting).count())
        .count("notCovered", days.stream().filter(NightReportFile::isNotCovered).count());
    count(report, "rawDays", result, true);
    count(report, "rollupTableDays", result, false);
    ArrayNode refusedDays = report.json().putArray("refusedDays");
    for (NightResult.EntryDay day : result.tierDays(TierDay.REFUSED)) {
      refusedDays
          .addObject()
          .put("table", day.table())
          .put("day", day.day())
          .put("match", day.match())
          .put("reason", day.reason());
    }
    ArrayNode notCovered = report.json().putArray("notCovered");
    for (DayResult day : days) {
      if (isNotCovered(day)) {
        notCovered.addObject().put("day", day.day().toString()).put("reason", day.notCovered());
      }
    }
    FileReplacement.write(file, report.json().toPrettyString());
  }

  private static void count(Report report, String name, NightResult result, boolean raw) {
    Report.Section section = report.section(name);
    for (TierDay done : TierDay.values()) {
      section.count(
          done.name().toLowerCase(Locale.ROOT),
          result.tierDays(done).stream().filter(day -> day.isRaw() == raw).count());
    }
  }

  private static boolean isNotCovered(DayResult day) {
    return !day.notCovered().isEmpty();
  }
}
