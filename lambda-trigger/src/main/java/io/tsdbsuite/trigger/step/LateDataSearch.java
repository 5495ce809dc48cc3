package io.tsdbsuite.trigger.step;

import java.time.Instant;
import java.util.List;

/**
 * How the run of a day finds rows before the day that have changed since an earlier run read them.
 *
 * @param args options of the job; empty when it searches nothing
 * @param since when the snapshot of the earlier run was taken; null without a search
 * @param note why the run searches nothing, or knows less than a report tells; empty otherwise
 */
public record LateDataSearch(List<String> args, Instant since, String note) {
  static LateDataSearch none(String note) {
    return new LateDataSearch(List.of(), null, note);
  }

  /** Whether the run searches. */
  public boolean searches() {
    return !args.isEmpty();
  }
}
