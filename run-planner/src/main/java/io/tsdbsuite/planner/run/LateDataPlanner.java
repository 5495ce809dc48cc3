package io.tsdbsuite.planner.run;

import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.report.ReportStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Plans a day's search for late data: rows of earlier days that changed since the snapshot of the
 * last day before it. Every change lies between the snapshots of two runs, so one of them finds it.
 * What a day that has not succeeded owes, its own rows and late data of the days before it, its run
 * finds when it succeeds, as long as it is run before the later days.
 *
 * <p>A day that is run again until it succeeds counts also if its run ended with exit code 1: its
 * own rows, and late data of the days before it, are found by the run that succeeds after a repair.
 * Otherwise all rows of one day of bad input would be late data of the next day, with the same
 * failures.
 */
final class LateDataPlanner {
  /** Number of earlier days in which a run searches the last report of success. */
  private static final int DAYS_BACK = 31;

  /** Number of earlier days in which a run searches the last refresh of the coverage. */
  private static final int REFRESH_DAYS_BACK = 7;

  private final RunSettings settings;
  private final ReportStore reports;
  private final ReportMatch match;
  private final Predicate<LocalDate> isRunAgain;
  private final CoverageRefresh refreshes;

  /** Reports that were read for the day that is planned. */
  private final Map<LocalDate, Optional<Base>> read = new HashMap<>();

  /**
   * @param isRunAgain whether a day is run again until it succeeds
   * @param refreshes which runs have refreshed the coverage
   */
  LateDataPlanner(
      RunSettings settings,
      ReportStore reports,
      Predicate<LocalDate> isRunAgain,
      CoverageRefresh refreshes) {
    this.refreshes = refreshes;
    this.settings = settings;
    this.match = new ReportMatch(settings);
    this.reports = reports;
    this.isRunAgain = isRunAgain;
  }

  /**
   * Plans the search of a day's run.
   *
   * @param before earlier days that run before it from the same snapshots; the first of them
   *     searches for all
   * @throws IOException when the reports cannot be read
   */
  LateDataSearch search(SnapshotTimes night, LocalDate day, List<LocalDate> before)
      throws IOException {
    read.clear();
    if (!settings.lateData()) {
      boolean owed = reports.find(day).filter(report -> isRepeated(day, report)).isPresent();
      return LateDataSearch.none(
          owed
              ? ("late data since the last success before %s is not searched, though the later"
                      + " days have left it to this run: the next run with a search finds it")
                  .formatted(day)
              : "");
    }
    Optional<Base> newest = Optional.empty();
    for (int back = 1; back <= DAYS_BACK; back++) {
      LocalDate earlier = day.minusDays(back);
      if (before.contains(earlier)) {
        return LateDataSearch.none("");
      }
      newest = base(earlier);
      if (newest.isPresent()) {
        break;
      }
    }
    return newest.isPresent()
        ? search(newest.get(), night, day, before)
        : LateDataSearch.none(
            "late data is not searched: none of the "
                + DAYS_BACK
                + " days before has a report of success");
  }

  /** A day with a report of success, or of bad input if it is run again; empty for others. */
  private Optional<Base> base(LocalDate day) throws IOException {
    Optional<Base> known = read.get(day);
    if (known == null) {
      known =
          reports
              .find(day)
              .filter(report -> report.whyNotDone(day).isEmpty() || isRepeated(day, report))
              .map(report -> new Base(day, report));
      read.put(day, known);
    }
    return known;
  }

  private boolean isRepeated(LocalDate day, JobReport report) {
    return isRunAgain.test(day)
        && report.endedWithBadInput(day)
        && report.text("/input/dataTable").equals(settings.dataTable());
  }

  private LateDataSearch search(
      Base newest, SnapshotTimes night, LocalDate day, List<LocalDate> before) throws IOException {
    Optional<Instant> taken = newest.report().dataSnapshotTime();
    if (taken.isEmpty()) {
      return LateDataSearch.none(
          "late data is not searched: " + reports.location(newest.day()) + " has no snapshot time");
    }
    if (!taken.get().isBefore(night.data())) {
      // The run of that day has searched up to these or newer snapshots, or will.
      return LateDataSearch.none(
          newest.isDone()
              ? ""
              : "late data is searched by the run of "
                  + newest.day()
                  + " when it succeeds: it ended with exit code 1");
    }
    return since(newest, searched(newest, taken.get(), day, before), day);
  }

  /**
   * The last report up to whose snapshot late data have been searched. That is the newest one, or,
   * if its run has not searched and neither has another run of its snapshots, the last before it
   * whose run has searched; if none has, the oldest. A day whose run ended with exit code 1 will be
   * searched for. If such a day has succeeded since without a search, the days that left it to that
   * run do not count.
   *
   * @param before earlier days that run before it from the same snapshots: each searches for what
   *     the days before it lack, and rolls up its own rows, which are no late data of this day
   */
  private Base searched(Base newest, Instant taken, LocalDate day, List<LocalDate> before)
      throws IOException {
    Base oldest = newest;
    Instant since = taken;
    for (LocalDate earlier = newest.day();
        !earlier.isBefore(day.minusDays(DAYS_BACK));
        earlier = earlier.minusDays(1)) {
      if (before.contains(earlier)) {
        break;
      }
      Optional<Base> base = base(earlier);
      Optional<Instant> time = base.flatMap(found -> found.report().dataSnapshotTime());
      if (base.isEmpty() || time.isEmpty()) {
        continue;
      }
      if (time.get().isBefore(since)) {
        since = time.get();
        oldest = base.get();
      }
      if (!base.get().isDone() || (base.get().hasSearched() && !isOwed(earlier, time.get(), day))) {
        break;
      }
    }
    return oldest;
  }

  /**
   * Whether a day has left late data to an older day, which then succeeded without a search.
   *
   * @param taken snapshot time of {@code left}
   */
  private boolean isOwed(LocalDate left, Instant taken, LocalDate day) throws IOException {
    Set<Instant> searched = new HashSet<>();
    Set<Instant> unsearched = new HashSet<>();
    for (LocalDate any = day.minusDays(1);
        !any.isBefore(day.minusDays(DAYS_BACK));
        any = any.minusDays(1)) {
      Optional<Base> base = base(any).filter(Base::isDone);
      Optional<Instant> time = base.flatMap(found -> found.report().dataSnapshotTime());
      if (base.isEmpty() || time.isEmpty()) {
        continue;
      }
      if (base.get().hasSearched()) {
        searched.add(time.get());
      } else if (any.isBefore(left) && time.get().isAfter(taken)) {
        unsearched.add(time.get());
      }
    }
    // Of several days of one night the first has searched for all.
    return !searched.containsAll(unsearched);
  }

  /**
   * The last run that has refreshed the coverage of all days before it, if the run before this day
   * has not: the hours are as of its snapshot, so only changes since then prove more. A run has not
   * refreshed a day that came into the coverage after it. Of several days of one night the first
   * has searched for all.
   *
   * @param taken snapshot time of the run before this day
   */
  private Optional<Base> refreshed(Instant taken, LocalDate day) throws IOException {
    TreeMap<Instant, Base> lastDays = new TreeMap<>();
    Map<Instant, Instant> written = new HashMap<>();
    Set<Instant> missing = new HashSet<>();
    for (int back = 1; back <= REFRESH_DAYS_BACK; back++) {
      LocalDate earlier = day.minusDays(back);
      Optional<Base> base = base(earlier).filter(Base::isDone).filter(this::isTaken);
      Optional<Instant> time = base.flatMap(found -> found.report().dataSnapshotTime());
      if (base.isPresent() && time.isPresent()) {
        lastDays.putIfAbsent(time.get(), base.get());
        Optional<Instant> added = refreshes.written(earlier, base.get().report());
        if (added.isPresent()) {
          written.merge(time.get(), added.get(), (a, b) -> a.isAfter(b) ? a : b);
        } else if (base.get().hasSearched()) {
          missing.add(time.get());
        }
      }
    }
    written.keySet().removeAll(missing);
    Optional<Map.Entry<Instant, Base>> last = Optional.empty();
    Instant before = Instant.MIN;
    for (Map.Entry<Instant, Base> each : lastDays.entrySet()) {
      Instant added = written.getOrDefault(each.getKey(), Instant.MIN);
      if (added.isAfter(before)) {
        last = Optional.of(each);
        before = added;
      }
    }
    return last.filter(each -> each.getKey().isBefore(taken)).map(Map.Entry::getValue);
  }

  /** Whether the job takes the report of a run. */
  private boolean isTaken(Base base) {
    JobReport report = base.report();
    return !report.isOlder()
        && match.difference(report).or(() -> match.rowKeyDifference(report)).isEmpty();
  }

  private LateDataSearch since(Base newest, Base base, LocalDate day) throws IOException {
    LocalDate earlier = base.day();
    Optional<Instant> taken = base.report().dataSnapshotTime();
    boolean adjoins = earlier.equals(day.minusDays(1));
    Optional<OptionDifference> difference =
        match.difference(base.report()).or(() -> match.rowKeyDifference(base.report()));
    boolean older = base.report().isOlder();
    if (adjoins && difference.isEmpty() && base.isDone() && !older) {
      List<String> args = new ArrayList<>(List.of("--since-report", reports.location(earlier)));
      Optional<Base> refreshed = refreshed(taken.orElseThrow(), day);
      refreshed.ifPresent(
          found -> args.addAll(List.of("--refresh-report", reports.location(found.day()))));
      return new LateDataSearch(
          List.copyOf(args),
          taken,
          refreshed.flatMap(found -> found.report().dataSnapshotTime()),
          "");
    }
    String why = why(newest, base, difference.filter(any -> adjoins));
    // The job applies its margin to the times of reports alone.
    Duration margin = new ReportedOptions(settings.options()).changedMargin();
    return new LateDataSearch(
        List.of("--changed-since", taken.orElseThrow().minus(margin).toString()),
        taken,
        Optional.empty(),
        ("late data is searched by the snapshot time of %s only, bulk-loaded files are"
                + " not searched: %s")
            .formatted(earlier, why));
  }

  private static String why(Base newest, Base base, Optional<OptionDifference> difference) {
    if (difference.isPresent()) {
      return difference.get().name() + " differs from that day's";
    }
    if (!base.isDone()) {
      return "its run ended with exit code 1";
    }
    if (newest.report().isOlder()) {
      return "its report is of version " + newest.report().formatVersion();
    }
    return newest.day().equals(base.day())
        ? "days in between have no report"
        : "runs in between have not searched";
  }

  /** A day with its report, of success or of bad input. */
  private record Base(LocalDate day, JobReport report) {
    private boolean isDone() {
      return report.whyNotDone(day).isEmpty();
    }

    private boolean hasSearched() {
      return !report.option("--changed-since").isEmpty();
    }
  }
}
