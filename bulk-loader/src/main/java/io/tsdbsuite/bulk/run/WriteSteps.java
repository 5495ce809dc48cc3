package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.Rows;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.write.BulkLoad;
import io.tsdbsuite.bulk.write.RowRate;
import io.tsdbsuite.bulk.write.ServerWatch;
import io.tsdbsuite.bulk.write.WalMode;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.HFileLoader;
import io.tsdbsuite.hbase.load.Region;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Writes rows to the table, from the state in the journal. */
final class WriteSteps {
  /** Several for each thread, to balance the load at the end. */
  private static final int RANGES_PER_THREAD = 8;

  /** Concurrent requests of each writing thread. */
  private static final int REQUESTS_PER_THREAD = 2;

  private final Session session;
  private final CoverageMasks masks;
  private final BulkLoaderReport.Step aboveFloors;

  /** For puts whose acknowledged rows may be lost with a server. */
  private final @Nullable ServerWatch watch;

  private final Set<Integer> reopened = new HashSet<>();
  private final Repeats repeats = new Repeats("resume");

  /** Progress of the load over all processes. */
  private LoadState state;

  /**
   * @param masks of all points of the load
   * @param aboveFloors checks that no point is below the floor of its metric. It is done once more
   *     when the masks are written: who raises a floor then looks for masks before a row goes
   */
  WriteSteps(Session session, CoverageMasks masks, BulkLoaderReport.Step aboveFloors) {
    this.session = session;
    this.masks = masks;
    this.aboveFloors = aboveFloors;
    this.state = session.before();
    this.watch =
        isHFiles() || session.settings().write().wal() != WalMode.ASYNC
            ? null
            : new ServerWatch(
                session.hbase().connection(),
                state.servers(),
                servers ->
                    session.workDir().journal().append(new JournalEvent.ServersSeen(servers)));
  }

  /**
   * Writes all rows. Stale ranges are written again.
   *
   * @param about approximate number of rows, for the progress
   */
  void run(Rows rows, long about) throws IOException {
    try (masks) {
      if (!state.bulkLoaded()) {
        runLeft(rows, about);
      }
      // An earlier process may have written all rows, and ended before the last masks.
      masks.renew();
    }
  }

  private void runLeft(Rows rows, long about) throws IOException {
    while (true) {
      Stale stale = stale();
      if (!stale.ranges().isEmpty()) {
        reopen(stale);
        state = session.workDir().now();
      }
      if (state.written()) {
        break;
      }
      writeLeft(rows, about);
      state = session.workDir().now();
    }
    if (isHFiles()) {
      session.timed("bulkLoad", this::bulkLoad);
    }
  }

  /**
   * Ranges whose rows may be lost or outdated.
   *
   * @param ranges their numbers
   * @param why the reason, for messages; empty if there are none
   */
  private record Stale(List<Integer> ranges, String why) {
    static final Stale NONE = new Stale(List.of(), "");
  }

  private Stale stale() throws IOException {
    if (isHFiles()) {
      return state.written() ? late() : Stale.NONE;
    }
    return watch == null || state.begun().isEmpty() ? Stale.NONE : ofEndedServers(watch);
  }

  /** The ranges of finished HFiles with rows that other writers have changed since. */
  private Stale late() throws IOException {
    SortedMap<Integer, String> late = new TreeMap<>();
    session.timed(
        "lookAgain",
        () -> {
          try (HFileDir dir = directory()) {
            late.putAll(
                new LateRanges(target(), session.began())
                    .find(dir, session.settings().run().threads()));
          }
        });
    return late.isEmpty()
        ? Stale.NONE
        : new Stale(List.copyOf(late.keySet()), LateRanges.why(late.values().iterator().next()));
  }

  /**
   * The ranges with rows that a region server acknowledged before its log had them. If such a
   * server has ended, in this process or before a resume, all ranges begun until then are stale.
   */
  private Stale ofEndedServers(ServerWatch servers) {
    if (state.servers().isEmpty()) {
      servers.forget();
      return new Stale(
          state.begun(), "an earlier version did not record the region servers of the rows");
    }
    Set<String> ended = servers.ended();
    if (ended.isEmpty()) {
      return Stale.NONE;
    }
    servers.forget();
    return new Stale(
        state.begun(),
        "region server "
            + String.join(", ", ended)
            + " ended, and with --wal async rows that it had acknowledged may be lost");
  }

  /** Reopens written ranges: they are compared with the table and written again. */
  private void reopen(Stale stale) {
    repeats.next(stale.why());
    Tally less = new Tally();
    Tally ofBefore = new Tally();
    for (int range : stale.ranges()) {
      less.add(state.written(range));
      if (reopened.add(range)) {
        ofBefore.add(session.before().written(range));
      }
    }
    session
        .workDir()
        .journal()
        .append(new JournalEvent.RangesReopened(stale.ranges(), stale.why()));
    session.report().undone(less, ofBefore);
    session.report().warn(Repeats.warning(stale.why(), stale.ranges().size()));
  }

  private void writeLeft(Rows rows, long about) throws IOException {
    WritePhase phase = new WritePhase(rows, session.workDir().journal(), state, session.progress());
    long done = state.tally().get(Count.ROWS_WRITTEN);
    session.progress().begin("write", "rows", about, done);
    try {
      session.timed("write", () -> write(phase, rows));
      session.progress().end();
    } finally {
      session.report().tally(phase.written());
    }
  }

  private boolean isHFiles() {
    return session.settings().write().mode() == Mode.HFILE;
  }

  private void write(WritePhase phase, Rows rows) throws IOException {
    if (isHFiles()) {
      hfiles(phase);
    } else {
      put(phase, rows);
    }
  }

  private TargetTable target() {
    return new TargetTable(
        session.hbase(),
        session.settings().tsd().schema(),
        session.table(),
        session.stamps(),
        session.settings().write(),
        state.cut());
  }

  private void put(WritePhase phase, Rows rows) throws IOException {
    TargetTable target = target();
    int threads = session.settings().run().threads();
    WriteSettings settings = session.settings().write();
    RowRate rate =
        settings.maxRowsPerSecond() == 0 ? null : new RowRate(settings.maxRowsPerSecond());
    ExecutorService pool =
        Executors.newFixedThreadPool(threads * REQUESTS_PER_THREAD, WriteSteps::daemon);
    try {
      masks.renew();
      aboveFloors.run();
      int ranges = settings.wal() == WalMode.SKIP ? threads : threads * RANGES_PER_THREAD;
      phase.run(
          threads,
          rows.cuts(ranges),
          null,
          () -> new PutRanges(target, pool, rate, watch, masks::renew));
    } finally {
      pool.shutdownNow();
    }
  }

  private void hfiles(WritePhase phase) throws IOException {
    TargetTable target = target();
    HFileDir dir = directory();
    List<byte[]> starts =
        target.table().regions().stream().map(Region::start).filter(key -> key.length > 0).toList();
    int threads = session.settings().run().threads();
    ExecutorService makers =
        target.table().regions().size() >= threads
            ? null
            : Executors.newCachedThreadPool(WriteSteps::daemon);
    try {
      phase.run(threads, starts, makers, () -> new HFileRows(target, dir, session.clock()));
    } finally {
      if (makers != null) {
        makers.shutdownNow();
      }
    }
  }

  private HFileDir directory() {
    return BulkLoad.directory(
        session.hbase().configuration(), session.settings().write().hfileDir(), session.runId());
  }

  private void bulkLoad() throws IOException {
    masks.write();
    aboveFloors.run();
    HFileDir dir = directory();
    if (!state.bulkLoading()) {
      session.workDir().journal().append(new JournalEvent.BulkLoading());
    }
    HFileLoader.Loaded loaded =
        new BulkLoad(session.hbase().configuration(), session.table().name()).load(dir);
    session.workDir().journal().append(new JournalEvent.BulkLoaded(loaded.files()));
    dir.remove();
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "puts");
    thread.setDaemon(true);
    return thread;
  }
}
