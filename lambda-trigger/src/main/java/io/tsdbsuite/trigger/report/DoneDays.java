package io.tsdbsuite.trigger.report;

import io.tsdbsuite.trigger.snapshot.WholeNight;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which days have a successful report. For the night's own day it must be of these very snapshots:
 * when the night was taken again, under the same names, the day is run again. An earlier day is
 * done whichever snapshot it was run from.
 */
public final class DoneDays {
  private final Reports reports;
  private final WholeNight night;

  /** As seen from a night. */
  public DoneDays(Reports reports, WholeNight night) {
    this.reports = reports;
    this.night = night;
  }

  /**
   * The days that a night starts: those of the days before its own one that are not done, the
   * oldest first, and its own.
   *
   * @param catchUpDays how many days before its own one are looked at
   */
  public List<LocalDate> window(int catchUpDays) throws IOException {
    List<LocalDate> days = new ArrayList<>();
    for (int back = catchUpDays; back > 0; back--) {
      LocalDate day = night.day().minusDays(back);
      if (!isDone(day, Instant.MIN)) {
        days.add(day);
      }
    }
    days.add(night.day());
    return List.copyOf(days);
  }

  /**
   * Whether a day needs no run.
   *
   * @param notBefore reports of runs that ended before do not count
   */
  public boolean isDone(LocalDate day, Instant notBefore) throws IOException {
    Optional<JobReport> found = reports.find(day);
    if (found.isEmpty() || found.get().whyNotDone(day).isPresent()) {
      return false;
    }
    JobReport report = found.get();
    return report.ended().filter(ended -> !ended.isBefore(notBefore)).isPresent()
        && (!day.equals(night.day()) || isOfTheseSnapshots(report));
  }

  private boolean isOfTheseSnapshots(JobReport report) {
    return report.isOf(night.data().created(), night.uid().created());
  }
}
