package io.tsdbsuite.planner.due;

import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.planner.report.CompletedDays;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.report.ReportStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds the days that must be rolled up: every whole day, UTC, since the first day that has no
 * report of success. A day is read from the newest snapshot that holds it completely; if its first
 * points have expired and that is allowed, from the oldest one that holds its end. What was taken
 * later than now, by a clock that has been set back since, does not count: neither such a snapshot
 * nor a report about one.
 */
public final class DueDays {
  /** Points may expire this long before their TTL: rollup-job's own margin. */
  private static final Duration TTL_MARGIN = Duration.ofDays(1);

  private final ReportStore reports;
  private final Predicate<JobReport> isOwn;
  private final DueRule rule;
  private final List<NightSnapshots> nights;
  private final Instant now;

  /**
   * @param reports of success must be of runs with the present settings
   * @param nights snapshots that exist, in any order
   */
  public DueDays(ReportStore reports, DueRule rule, List<NightSnapshots> nights, Instant now) {
    this(reports, own -> true, rule, nights, now);
  }

  /**
   * @param isOwn whether a report of success is of a run with the present settings; one of other
   *     settings says nothing
   * @param nights snapshots that exist, in any order
   */
  public DueDays(
      ReportStore reports,
      Predicate<JobReport> isOwn,
      DueRule rule,
      List<NightSnapshots> nights,
      Instant now) {
    this.reports = reports;
    this.isOwn = isOwn;
    this.rule = rule;
    this.now = now;
    this.nights =
        nights.stream()
            .filter(night -> !isInFuture(night.times().data()))
            .sorted(Comparator.comparing((NightSnapshots one) -> one.times().data()).reversed())
            .toList();
  }

  private boolean isInFuture(Instant time) {
    return SnapshotTimes.isInFuture(time, now);
  }

  /** The night whose data snapshot is the newest; empty if there is none. */
  public Optional<NightSnapshots> newest() {
    return nights.stream().findFirst();
  }

  /** The last day that may be rolled up now: it ended at least the hold-back ago. */
  public LocalDate lastDay() {
    return LocalDate.ofInstant(now.minus(rule.holdBack()), ZoneOffset.UTC).minusDays(1);
  }

  /**
   * The days without a report of success, the oldest first.
   *
   * @throws IOException when the reports cannot be read
   */
  public List<DueDay> find() throws IOException {
    return find(lastDay());
  }

  /**
   * The same up to a day, whose report and those before it are all that is read.
   *
   * @throws IOException when the reports cannot be read
   */
  List<DueDay> find(LocalDate last) throws IOException {
    List<DueDay> due = new ArrayList<>();
    LocalDate end = last.isBefore(lastDay()) ? last : lastDay();
    for (LocalDate day = rule.firstDay(); !day.isAfter(end); day = day.plusDays(1)) {
      if (!isDone(day)) {
        due.add(plan(day));
      }
    }
    return List.copyOf(due);
  }

  /**
   * Whether a day has a report of success.
   *
   * @throws IOException when the reports cannot be read
   */
  public boolean isDone(LocalDate day) throws IOException {
    if (newest().isPresent()) {
      return new CompletedDays(reports, newest().get().times(), isOwn, now)
          .isDone(day, Instant.MIN);
    }
    return reports
        .find(day)
        .filter(report -> report.whyNotDone(day).isEmpty())
        .filter(isOwn)
        .filter(report -> report.dataSnapshotTime().filter(this::isInFuture).isEmpty())
        .isPresent();
  }

  /** Chooses the snapshots for a day, whether or not it is done. */
  public DueDay plan(LocalDate day) {
    Instant begin = day.atStartOfDay(ZoneOffset.UTC).toInstant();
    Instant end = day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    Instant readable = end.plus(rule.holdBack());
    if (readable.isAfter(now)) {
      return new DueDay(
          day, DueDay.State.WAITS, Optional.empty(), "it may be rolled up from " + readable);
    }
    List<NightSnapshots> late =
        nights.stream().filter(night -> !night.times().data().isBefore(readable)).toList();
    if (late.isEmpty()) {
      return new DueDay(
          day,
          DueDay.State.WAITS,
          Optional.empty(),
          "no snapshot has been taken since " + readable);
    }
    Optional<NightSnapshots> whole =
        late.stream().filter(night -> !begin.isBefore(complete(night))).findFirst();
    return whole.isPresent()
        ? new DueDay(day, DueDay.State.RUN, whole, "")
        : expired(day, end, late.get(late.size() - 1));
  }

  /**
   * A day of which points have expired. One without any points would end each of its runs with bad
   * input, and take the place of later days.
   *
   * @param end of the day
   * @param oldest of the snapshots that hold it; it has most of the day
   */
  private DueDay expired(LocalDate day, Instant end, NightSnapshots oldest) {
    Instant complete = complete(oldest);
    boolean hasPoints = end.isAfter(complete.minus(TTL_MARGIN));
    if (rule.allowExpired() && hasPoints) {
      return new DueDay(day, DueDay.State.RUN, Optional.of(oldest), "");
    }
    return new DueDay(
        day,
        DueDay.State.EXPIRED,
        Optional.empty(),
        (hasPoints ? "its first points have expired" : "all its points have expired")
            + ": the snapshots that hold its end are complete from "
            + complete
            + " only"
            + (hasPoints ? "; roll up the rest with --allow-expired" : ""));
  }

  /** The time from which the data of a snapshot are complete. */
  private Instant complete(NightSnapshots night) {
    return rule.ttl()
        .map(ttl -> night.times().data().minus(ttl).plus(TTL_MARGIN))
        .orElse(Instant.EPOCH);
  }
}
