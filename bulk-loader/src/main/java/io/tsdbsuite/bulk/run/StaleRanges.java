package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.bulk.write.ServerWatch;
import io.tsdbsuite.hbase.load.HFileDir;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Ranges whose rows may be lost or outdated.
 *
 * @param ranges their numbers
 * @param why the reason, for messages; empty if there are none
 */
record StaleRanges(List<Integer> ranges, String why) {
  /** No ranges. */
  static final StaleRanges NONE = new StaleRanges(List.of(), "");

  /** The ranges of finished HFiles with rows that other writers have changed since. */
  static StaleRanges late(Session session, TargetTable target, HFileDir directory)
      throws IOException {
    SortedMap<Integer, String> late = new TreeMap<>();
    session.timed(
        "lookAgain",
        () -> {
          try (HFileDir dir = directory) {
            late.putAll(
                new LateRanges(target, session.began())
                    .find(dir, session.settings().run().threads()));
          }
        });
    return late.isEmpty()
        ? NONE
        : new StaleRanges(
            List.copyOf(late.keySet()), LateRanges.why(late.values().iterator().next()));
  }

  /**
   * The ranges with rows that a region server acknowledged before its log had them. If such a
   * server has ended, in this process or before a resume, all ranges begun until then are stale.
   *
   * @param state progress of the load
   * @param watch the watch that writers report to
   * @throws io.tsdbsuite.job.JobException outside, when HBase fails
   */
  static StaleRanges ofEndedServers(LoadState state, ServerWatch watch) {
    if (state.begun().isEmpty()) {
      return NONE;
    }
    if (state.servers().isEmpty()) {
      watch.forget();
      return new StaleRanges(
          state.begun(), "an earlier version did not record the region servers of the rows");
    }
    Set<String> ended = watch.ended();
    if (ended.isEmpty()) {
      return NONE;
    }
    watch.forget();
    return new StaleRanges(
        state.begun(),
        "region server "
            + String.join(", ", ended)
            + " ended, and with --wal async rows that it had acknowledged may be lost");
  }
}
