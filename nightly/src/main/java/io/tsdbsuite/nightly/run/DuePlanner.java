package io.tsdbsuite.nightly.run;

import io.tsdbsuite.nightly.config.NightlyConfig;
import io.tsdbsuite.planner.due.DueDay;
import io.tsdbsuite.planner.due.DueDays;
import io.tsdbsuite.planner.due.DueRule;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.NightSnapshots;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Plans the days of a run: those that are due, or those that were given. */
final class DuePlanner {
  private final Context context;
  private final List<NightSnapshots> readable;
  private final DueDays due;

  /**
   * Reads which snapshots there are.
   *
   * @param nights prepared, unless the run is a dry one
   * @param coming a night that a dry run takes for readable; otherwise empty
   */
  DuePlanner(Context context, Nights nights, Optional<NightSnapshots> coming) {
    this.context = context;
    List<NightSnapshots> found = nights.readable();
    Optional<NightSnapshots> newest = due(found, Optional.empty()).newest();
    Optional<Duration> ttl =
        newest.isEmpty() && coming.isPresent() ? nights.liveTtl() : nights.ttl(newest);
    this.readable = Stream.concat(found.stream(), coming.stream()).toList();
    this.due = due(readable, ttl);
  }

  private DueDays due(List<NightSnapshots> readable, Optional<Duration> ttl) {
    NightlyConfig config = context.config();
    return new DueDays(
        context.ownReports(),
        new DueRule(
            config.firstDay(),
            config.holdBack(),
            ttl,
            config.runs().options().has("--allow-expired")),
        readable,
        context.clock().instant());
  }

  /** The days that are due, and the choice of their snapshots. */
  DueDays due() {
    return due;
  }

  /** The nights that the job can read. */
  List<NightSnapshots> readable() {
    return readable;
  }

  /**
   * The days to roll up, the oldest first.
   *
   * @param days the given days; empty for those that are due
   */
  List<DueDay> planned(List<LocalDate> days) {
    try {
      return days.isEmpty()
          ? due.find()
          : days.stream().distinct().sorted().map(due::plan).toList();
    } catch (IOException e) {
      throw context.reports().failed(e);
    }
  }

  /** Nights of the days that are still due. */
  Set<Night> needed() throws IOException {
    Set<Night> needed = new HashSet<>();
    for (DueDay day : due.find()) {
      day.night().ifPresent(night -> needed.add(night.night()));
    }
    return needed;
  }
}
