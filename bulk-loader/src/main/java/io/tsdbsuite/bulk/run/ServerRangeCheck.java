package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.bulk.write.ServerWatch;
import java.util.Set;

/**
 * Finds ranges with rows that a region server acknowledged before its log had them. If such a
 * server has ended, in this process or before a resume, all ranges begun until then are stale.
 */
final class ServerRangeCheck implements RangeCheck {
  private final ServerWatch watch;

  ServerRangeCheck(Session session) {
    this.watch =
        new ServerWatch(
            session.hbase().connection(),
            session.before().servers(),
            servers -> session.workDir().journal().append(new JournalEvent.ServersSeen(servers)));
  }

  /** The watch that writers report to. */
  ServerWatch watch() {
    return watch;
  }

  @Override
  public StaleRanges find(LoadState state) {
    if (state.begun().isEmpty()) {
      return StaleRanges.NONE;
    }
    if (state.servers().isEmpty()) {
      watch.forget();
      return new StaleRanges(
          state.begun(), "an earlier version did not record the region servers of the rows");
    }
    Set<String> ended = watch.ended();
    if (ended.isEmpty()) {
      return StaleRanges.NONE;
    }
    watch.forget();
    return new StaleRanges(
        state.begun(),
        "region server "
            + String.join(", ", ended)
            + " ended, and with --wal async rows that it had acknowledged may be lost");
  }
}
