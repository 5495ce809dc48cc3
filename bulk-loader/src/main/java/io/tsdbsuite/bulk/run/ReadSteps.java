package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.group.Grouper;
import io.tsdbsuite.bulk.group.Grouping;
import io.tsdbsuite.bulk.group.ReadListener;
import io.tsdbsuite.bulk.input.InputUnit;
import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.names.NameChanges;
import io.tsdbsuite.bulk.parallel.BlockPipeline;
import io.tsdbsuite.bulk.parse.InfluxContext;
import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.parse.NamesParser;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectBatch;
import io.tsdbsuite.bulk.report.RejectFile;
import io.tsdbsuite.bulk.report.RejectLimits;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.bulk.settings.RunSettings;
import io.tsdbsuite.bulk.spill.RunSpills;
import io.tsdbsuite.bulk.uid.UidAssigner;
import io.tsdbsuite.bulk.uid.UidSeriesResolver;
import io.tsdbsuite.format.uid.UidKind;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Reads the input into sorted runs, from the state in the journal, and compacts them. */
final class ReadSteps {
  private final Session session;
  private final LoadInput input;
  private final RejectFile rejects;
  private final NamesParser parser;
  private final NameChanges changes;

  ReadSteps(Session session, LoadInput input, RejectFile rejects) {
    this.session = session;
    this.input = input;
    this.rejects = rejects;
    this.parser =
        NamesParser.of(session.settings().tsd().config(), session.settings().input().names());
    this.changes = parser.changes();
  }

  Runs run() throws IOException {
    Runs runs = new Runs(session.workDir(), changes, rejects);
    Tally uncommitted = new Tally();
    try {
      if (!session.before().readDone()) {
        session.timed("read", () -> read(runs, uncommitted));
        session.workDir().journal().append(new JournalEvent.ReadDone(runs.counted()));
      }
      if (!session.before().written()) {
        session.timed("sort", () -> compact(runs));
      }
      Tally all = new Tally();
      all.add(runs.counted());
      all.add(session.before().tally());
      session.report().warnIfEmpty(all);
    } finally {
      session.report().tally(runs.counted()).tally(uncommitted);
    }
    return runs;
  }

  /** A count of all of the load. */
  private long counted(Runs runs, Count count) {
    return runs.counted().get(count) + session.before().tally().get(count);
  }

  private void read(Runs runs, Tally uncommitted) {
    LoadSettings settings = session.settings();
    InfluxContexts contexts = input.formats().contexts();
    contexts.restore(session.before().influxContexts());
    changes.restore(session.before().names());
    contexts.requireOne();
    contexts.listen(this::met);
    RejectLimits limits = settings.input().limits();
    int readers = Math.max(1, Math.min(settings.run().threads(), input.units().size()));
    int threads =
        Math.max(1, Math.min(settings.run().threads(), readers * BlockPipeline.MOST_THREADS));
    session.progress().begin("read", "bytes", input.bytes(), before());
    try (UidAssigner uids =
        new UidAssigner(
            session.hbase().connection(), settings.tsd().schema(), settings.write().create())) {
      new ReadPhase(
              input,
              session.before(),
              session.workDir().runs(),
              counted -> addTo(uncommitted, counted))
          .run(
              threads,
              bytes -> session.progress().advance(bytes, 0, 0),
              goesOn -> grouper(uids, runs, readers, watch(goesOn, limits)));
      limits.require(rejects, counted(runs, Count.POINTS_READ));
      contexts.requireFound(otherLines(runs.counted()) + otherLines(session.before().tally()));
      changes.warnings().forEach(session.report()::warn);
      for (UidKind kind : UidKind.values()) {
        session.report().uids(kind.qualifier(), uids.assigned(kind));
      }
    }
    session.progress().end();
  }

  private static void addTo(Tally sum, Tally more) {
    synchronized (sum) {
      sum.add(more);
    }
  }

  private void met(InfluxContext context) {
    session
        .workDir()
        .journal()
        .append(new JournalEvent.InfluxContextMet(context.database(), context.retentionPolicy()));
  }

  /** Lines of InfluxDB exports that were left out. */
  private static long otherLines(Tally tally) {
    return tally.get(Count.LINES_OF_OTHER_DATABASE)
        + tally.get(Count.LINES_OF_OTHER_RETENTION_POLICY);
  }

  /** Bytes as stored that an earlier process has read to the end of their unit. */
  private long before() {
    return input.units().stream()
        .filter(unit -> session.before().unit(unit.ordinal()).done())
        .mapToLong(InputUnit::bytes)
        .sum();
  }

  private Grouper grouper(UidAssigner uids, Runs runs, int readers, ReadListener watch) {
    LoadSettings settings = session.settings();
    RejectBatch batch = rejects.batch();
    return new Grouper(
        new Grouping(
            Math.max(Grouping.MIN_MEMORY, settings.run().bufferBytes() / readers),
            ActiveHours.refusedFrom(settings.write(), session.began()),
            settings.write().onConflict(),
            session.rowKey(),
            parser,
            new UidSeriesResolver(uids, settings.tsd().schema()),
            batch::reject,
            new RunSpills(session.workDir().runs(), runs.target(batch)),
            watch));
  }

  private ReadListener watch(BooleanSupplier goesOn, RejectLimits limits) {
    return (points, bytes) -> {
      limits.requireSoFar(rejects);
      session.progress().advance(0, points, bytes);
      return goesOn.getAsBoolean();
    };
  }

  private void compact(Runs runs) throws IOException {
    RunSettings run = session.settings().run();
    runs.compact(
        session.settings().write().onConflict(),
        session.rowKey(),
        run.threads(),
        run.bufferBytes());
  }
}
