package io.tsdbsuite.nightly.run;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.snapshot.LiveSnapshots;
import io.tsdbsuite.planner.night.Night;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Deletes old snapshots: on HBase by their number, exports by the rule of rollup-job prune. */
record PruneStep(Context context) {
  private static final String COMMAND = "prune";

  /**
   * Deletes. A failure is in the result.
   *
   * @param needed nights of days that are not done
   * @param newest the newest night that the job can read
   */
  void run(Optional<LiveSnapshots> live, Set<Night> needed, Optional<Night> newest) {
    try {
      int keep = context.config().snapshots().keep();
      if (live.isPresent() && context.config().snapshots().take() && keep > 0) {
        List<String> deleted =
            live.get()
                .prune(RollupSnapshots.proofs(context), keep, needed, context.clock().instant());
        if (!deleted.isEmpty()) {
          context.result().add("deleted " + deleted.size() + " old snapshots on HBase");
        }
      }
      if (!context.config().pruneOptions().isEmpty()) {
        exports(needed, newest);
      }
    } catch (JobException e) {
      context.result().fail(e);
    }
  }

  /** The rule of rollup-job prune keeps the newest night, but does not know which days are due. */
  private void exports(Set<Night> needed, Optional<Night> newest) {
    List<String> older =
        needed.stream()
            .filter(night -> !newest.equals(Optional.of(night)))
            .map(Night::dataSnapshot)
            .sorted()
            .toList();
    if (!older.isEmpty()) {
      context
          .result()
          .add("the exports were not pruned: a day that is due needs " + String.join(", ", older));
      return;
    }
    context.progress().accept("pruning " + context.config().place().exportRoot());
    String location = context.reports().location(COMMAND);
    context
        .run("rollup-job prune", COMMAND, context.commands().prune(location), location)
        .success();
    context.result().add("pruned the exports");
  }
}
