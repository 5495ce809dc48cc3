package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.error.LoadException;
import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.bulk.report.Tally;
import java.util.HashSet;
import java.util.Set;

/** Gives ranges up that were written, so that they are compared with the table and written anew. */
final class Reopening {
  /** More often is no accident: somebody writes into the rows of the load all the time. */
  private static final int MOST = 5;

  private final Session session;
  private final Set<Integer> anew = new HashSet<>();
  private int times;

  Reopening(Session session) {
    this.session = session;
  }

  /**
   * Gives them up.
   *
   * @param state what is done
   * @throws LoadException outside, when this happens too often
   */
  void reopen(Doubts.Found found, LoadState state) {
    if (++times > MOST) {
      throw LoadException.outside(
          "what was written was not sure "
              + times
              + " times, found: "
              + found.why()
              + "; when that has ended, resume",
          null);
    }
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
    session
        .report()
        .warn(
            found.why()
                + ": "
                + found.ranges().size()
                + " range(s) of rows were compared with the table once more, and written where"
                + " that was due");
  }
}
