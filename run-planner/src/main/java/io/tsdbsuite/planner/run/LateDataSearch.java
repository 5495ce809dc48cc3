package io.tsdbsuite.planner.run;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The search of a day's run for late data: rows of earlier days that have changed since an earlier
 * run read them.
 *
 * @param args options of the job; empty without a search
 * @param since time of the earlier run's snapshot; empty without a search
 * @param refreshed time of the snapshot of {@code --refresh-report}; empty without the option
 * @param note the reason why the run does not search, or searches without a report; otherwise empty
 */
public record LateDataSearch(
    List<String> args, Optional<Instant> since, Optional<Instant> refreshed, String note) {
  static LateDataSearch none(String note) {
    return new LateDataSearch(List.of(), Optional.empty(), Optional.empty(), note);
  }

  /** Whether the run searches. */
  public boolean searches() {
    return !args.isEmpty();
  }
}
