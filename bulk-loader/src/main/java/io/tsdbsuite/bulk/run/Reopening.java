package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.bulk.report.Tally;
import java.util.HashSet;
import java.util.Set;

/** Reopens written ranges: they are compared with the table and written again. */
final class Reopening {
  private final Session session;
  private final Set<Integer> anew = new HashSet<>();
  private final Repeats repeats = new Repeats("resume");

  Reopening(Session session) {
    this.session = session;
  }

  /**
   * Reopens them.
   *
   * @param state progress of the load
   * @throws io.tsdbsuite.job.JobException outside, when this happens too often
   */
  void reopen(StaleRanges found, LoadState state) {
    repeats.next(found.why());
    Tally less = new Tally();
    Tally ofBefore = new Tally();
    for (int range : found.ranges()) {
      less.add(state.written(range));
      if (anew.add(range)) {
        ofBefore.add(session.before().written(range));
      }
    }
    session
        .workDir()
        .journal()
        .append(new JournalEvent.RangesReopened(found.ranges(), found.why()));
    session.report().undone(less, ofBefore);
    session.report().warn(Repeats.warning(found.why(), found.ranges().size()));
  }
}
