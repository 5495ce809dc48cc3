package io.tsdbsuite.planner.verify;

import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.report.ReportStore;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The days whose rollups are to be verified: those that are done, and have no verification of
 * success since they were rolled up.
 */
public final class VerifyDays {
  /** Which days are done. */
  @FunctionalInterface
  public interface Done {
    /**
     * Whether a day has a report of success.
     *
     * @throws IOException when the reports cannot be read
     */
    boolean isDone(LocalDate day) throws IOException;
  }

  /** The reports of {@code rollup-job verify}. */
  @FunctionalInterface
  public interface Verifications {
    /**
     * The newest report about a day; empty when there is none.
     *
     * @throws IOException when the storage fails
     */
    Optional<JobReport> find(LocalDate day) throws IOException;
  }

  /**
   * The days in which a day is verified.
   *
   * @param firstDay none before it is verified
   * @param last the last day
   * @param count number of days up to the last one
   */
  public record Window(LocalDate firstDay, LocalDate last, int count) {
    private LocalDate first() {
      return last.minusDays(count - 1L);
    }

    /** The days. */
    public SortedSet<LocalDate> days() {
      return between(first(), last.plusDays(1));
    }

    /** As many days before them. */
    private SortedSet<LocalDate> before() {
      return between(first().minusDays(count), first());
    }

    private SortedSet<LocalDate> between(LocalDate from, LocalDate to) {
      SortedSet<LocalDate> days = new TreeSet<>();
      for (LocalDate day = from; day.isBefore(to); day = day.plusDays(1)) {
        if (!day.isBefore(firstDay)) {
          days.add(day);
        }
      }
      return days;
    }
  }

  private final ReportStore reports;
  private final Done done;
  private final Verifications verifications;

  /** Finds the days by these reports. */
  public VerifyDays(ReportStore reports, Done done, Verifications verifications) {
    this.reports = reports;
    this.done = done;
    this.verifications = verifications;
  }

  /**
   * Whether a day needs a verification.
   *
   * @throws IOException when the reports cannot be read
   */
  public boolean isDue(LocalDate day) throws IOException {
    Optional<JobReport> run = reports.find(day);
    return run.isPresent() && isDue(day, run.get());
  }

  /**
   * The same.
   *
   * @param run the report of the day's run
   */
  boolean isDue(LocalDate day, JobReport run) throws IOException {
    return run.whyNotDone(day).isEmpty()
        && done.isDone(day)
        && verifications.find(day).filter(report -> report.verifies(run)).isEmpty();
  }

  /** The report of a day's run; empty when there is none. */
  Optional<JobReport> run(LocalDate day) throws IOException {
    return reports.find(day);
  }

  /** Whether a verification of a day has ended, with whatever result. */
  boolean hasReport(LocalDate day) throws IOException {
    return verifications.find(day).isPresent();
  }

  /**
   * The days before a window that need a verification and that no night verifies any more. Each is
   * told in as many nights as the window has days.
   *
   * @param verified days that are verified now
   * @throws IOException when the reports cannot be read
   */
  public List<LocalDate> left(Window window, Set<LocalDate> verified) throws IOException {
    List<LocalDate> left = new ArrayList<>();
    for (LocalDate day : window.before()) {
      if (!verified.contains(day) && isDue(day)) {
        left.add(day);
      }
    }
    return List.copyOf(left);
  }
}
