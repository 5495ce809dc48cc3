package io.tsdbsuite.planner.due;

import io.tsdbsuite.planner.due.DueDay.State;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.report.CompletedDays;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.report.ReportStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The days of one night where a finished export starts it, as on AWS. {@link DueDays} chooses them,
 * with this night as the only one that can be read.
 *
 * @param start days to run, the oldest first. The night's own day is always the last: if it is done
 *     there is nothing to do, and if the snapshot was taken too early the job refuses it, which is
 *     how the night tells
 * @param givenUp days that are not done and that no night starts any more, the oldest first: those
 *     before the days of catch-up, and those whose points have expired
 */
public record NightDays(List<LocalDate> start, List<LocalDate> givenUp) {
  /**
   * Finds the days.
   *
   * @param isOwn whether a report of success is of a run with the present settings
   * @param night the export that has finished
   * @param ttl TTL of the data table when the snapshot was taken; empty if its data never expire
   * @throws IOException when the reports cannot be read
   */
  public static NightDays of(
      ReportStore reports,
      Predicate<JobReport> isOwn,
      NightRule rule,
      NightSnapshots night,
      Optional<Duration> ttl,
      Instant now)
      throws IOException {
    LocalDate own = night.times().day();
    List<LocalDate> start = new ArrayList<>();
    Set<LocalDate> expired = new HashSet<>();
    DueDays due = new DueDays(reports, isOwn, rule.days(night.times(), ttl), List.of(night), now);
    for (DueDay day : due.find(own.minusDays(1))) {
      if (day.state() == State.RUN) {
        start.add(day.day());
      } else if (day.state() == State.EXPIRED) {
        expired.add(day.day());
      }
    }
    start.add(own);
    return new NightDays(
        List.copyOf(start),
        new CompletedDays(reports, night.times(), isOwn, now).givenUp(rule.catchUpDays(), expired));
  }
}
