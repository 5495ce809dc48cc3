package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.bulk.write.ServerWatch;
import java.util.Set;

/**
 * Rows that region servers have acknowledged before their log had them: if one of these servers has
 * ended, in this process or before a resume, nothing that was acknowledged until then is relied on.
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

  /** To be told of by those who write. */
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
          state.begun(), "an earlier version did not note which region servers had the rows");
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
