package io.tsdbsuite.bulk.journal;

import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectForm;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import io.tsdbsuite.bulk.report.Tally;
import java.util.List;
import java.util.Map;

/** Events for tests. */
final class Events {
  private Events() {}

  static Tally tally(Count count, long n) {
    Tally tally = new Tally();
    tally.add(count, n);
    return tally;
  }

  static JournalEvent.Started started() {
    return new JournalEvent.Started(
        "run-1",
        "0.1.0",
        List.of("load", "--input", "caf\u00e9 \"x\".gz"),
        Map.of("tsd.storage.salt.width", "1"),
        1_700_000_000_123L,
        List.of(new JournalEvent.Input("a.gz", 1234, 99), new JournalEvent.Input("-", -1, 0)));
  }

  static JournalEvent.RunSpilled spilled(String run, int unit, int spill, boolean done) {
    Tally tally = tally(Count.POINTS_READ, 100);
    tally.reject(RejectReason.BAD_VALUE, 1);
    tally.skip(SkipKind.NAN, 2);
    return new JournalEvent.RunSpilled(
        run,
        unit,
        spill,
        2,
        new Position(1L << 40, 7, 9),
        done,
        tally,
        Map.of(RejectForm.JSON, 10L * (spill + 1)));
  }

  static JournalEvent.RowsAcknowledged rows(int range, int key, boolean done) {
    byte[] last = key < 0 ? new byte[0] : new byte[] {0, (byte) key, -1};
    return new JournalEvent.RowsAcknowledged(range, last, tally(Count.POINTS_WRITTEN, 50), done);
  }

  /** A load with everything in it. */
  static List<JournalEvent> all() {
    return List.of(
        started(),
        spilled("u0-s0.run", 0, 0, false),
        spilled("u1-s0.run", 1, 0, true),
        spilled("u0-s1.run", 0, 1, false),
        spilled("", 0, 2, true),
        new JournalEvent.RunsCompacted(List.of("u0-s0.run", "u0-s1.run"), "c0.run", new Tally()),
        new JournalEvent.ReadDone(tally(Count.POINTS_READ, 400)),
        new JournalEvent.RangesCut(List.of(new byte[] {0, 5}, new byte[] {1})),
        rows(1, 6, false),
        rows(0, 3, true),
        rows(1, -1, true),
        rows(2, 9, false),
        rows(2, 11, true),
        new JournalEvent.BulkLoading(),
        new JournalEvent.BulkLoaded(2),
        new JournalEvent.MetaDone(17),
        new JournalEvent.Finished(0));
  }
}
