package io.tsdbsuite.planner.report;

import io.tsdbsuite.planner.night.SnapshotTimes;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds days with a successful report. The report of the night's own day must name exactly these
 * snapshots: if the snapshots were taken again under the same names, the day is run again. An
 * earlier day is complete with a report of any snapshot that was not taken in the future, while a
 * clock was ahead.
 */
public final class CompletedDays {
  /** Number of days before those of a night in which days are given up. */
  private static final int DAYS_GIVEN_UP = 31;

  /** Number of days before those in which the last day before a long outage is looked for. */
  private static final int DAYS_OF_OUTAGE = 62;

  private final ReportStore reports;
  private final SnapshotTimes night;
  private final Predicate<JobReport> isOwn;
  private final Instant now;

  /**
   * Checks days for a run of this night.
   *
   * @param isOwn whether a report of success is of a run with the present settings
   */
  public CompletedDays(
      ReportStore reports, SnapshotTimes night, Predicate<JobReport> isOwn, Instant now) {
    this.reports = reports;
    this.night = night;
    this.isOwn = isOwn;
    this.now = now;
  }

  /**
   * The incomplete days that no night starts any more, because more than {@code catchUpDays} days
   * have passed, up to 31 days before those, or because they have expired; the oldest first. Days
   * before the first one that a night has done do not count, if there is one in the 62 days before
   * these: before the pipeline there was none. Two days in a row are done by a pipeline, or a
   * backfill; a single one may have been run by hand.
   *
   * @param catchUpDays number of days before the night's own that it also starts
   * @param expired those of them whose points have expired
   */
  public List<LocalDate> givenUp(int catchUpDays, Set<LocalDate> expired) throws IOException {
    List<LocalDate> days = new ArrayList<>();
    int oldest = catchUpDays + DAYS_GIVEN_UP;
    boolean begun = hasBegunBefore(oldest, catchUpDays);
    boolean dayBefore = false;
    // Reports of failed runs are large: those of the days of catch-up are read only if needed.
    int last = expired.isEmpty() ? catchUpDays : 0;
    for (int back = oldest; back > last; back--) {
      LocalDate day = night.day().minusDays(back);
      boolean done = isDone(day, Instant.MIN);
      if (begun && !done && (back > catchUpDays || expired.contains(day))) {
        days.add(day);
      }
      begun = begun || (done && (dayBefore || isByNight(day, catchUpDays)));
      dayBefore = done;
    }
    return List.copyOf(days);
  }

  /**
   * Whether nights have done days before an outage that is longer than the days that are given up.
   *
   * @param oldest the first of these days, days back; while it is done none is looked for
   */
  private boolean hasBegunBefore(int oldest, int catchUpDays) throws IOException {
    boolean done = isDone(night.day().minusDays(oldest), Instant.MIN);
    for (int back = oldest + 1; !done && back <= oldest + DAYS_OF_OUTAGE; back++) {
      LocalDate day = night.day().minusDays(back);
      if (isDone(day, Instant.MIN)) {
        return isByNight(day, catchUpDays) || isDone(day.minusDays(1), Instant.MIN);
      }
    }
    return false;
  }

  /** Whether the snapshot of a report is that of a night that runs the day. */
  private boolean isByNight(LocalDate day, int catchUpDays) throws IOException {
    LocalDate last = day.plusDays(night.daysBefore() + catchUpDays);
    return reports
        .find(day)
        .flatMap(JobReport::dataSnapshotTime)
        .filter(time -> LocalDate.ofInstant(time, ZoneOffset.UTC).isAfter(last))
        .isEmpty();
  }

  /**
   * Whether a day needs no run.
   *
   * @param notBefore reports of runs that began earlier are ignored: such a run may have read older
   *     snapshots; {@link Instant#MIN} for none
   */
  public boolean isDone(LocalDate day, Instant notBefore) throws IOException {
    Optional<JobReport> found = reports.find(day);
    if (found.isEmpty() || found.get().whyNotDone(day).isPresent()) {
      return false;
    }
    JobReport report = found.get();
    Optional<Instant> time = notBefore.equals(Instant.MIN) ? report.ended() : report.started();
    return time.filter(at -> !at.isBefore(notBefore)).isPresent()
        && isOwn.test(report)
        && report.dataSnapshotTime().filter(taken -> SnapshotTimes.isInFuture(taken, now)).isEmpty()
        && (!day.equals(night.day()) || isOfTheseSnapshots(report));
  }

  private boolean isOfTheseSnapshots(JobReport report) {
    return report.isOf(night.data(), night.uid());
  }
}
