package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.bulk.journal.WorkDir;
import io.tsdbsuite.bulk.meta.MetaRows;
import io.tsdbsuite.bulk.names.NameMapping;
import io.tsdbsuite.bulk.parse.NamesParser;
import io.tsdbsuite.bulk.progress.ProgressTracker;
import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.report.PointsByMetric;
import io.tsdbsuite.bulk.report.RejectFile;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.bulk.spill.SeriesTotals;
import io.tsdbsuite.bulk.spill.SpilledRows;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Loads input, or resumes a load that was stopped. */
public final class LoadJob {
  private static final int SAMPLES = 20;

  private final LoadSettings settings;
  private final List<String> arguments;
  private final String version;
  private final Clock clock;
  private final InputStream stdin;
  private final ProgressTracker progress;
  private final Consumer<BulkLoaderReport> ended;

  /**
   * @param arguments the command line, all that a resume needs of it
   * @param version of the loader
   * @param ended takes the report before the load counts as done: if it fails, or the process is
   *     killed before, a resume makes the report
   */
  public LoadJob(
      LoadSettings settings,
      List<String> arguments,
      String version,
      Clock clock,
      InputStream stdin,
      ProgressTracker progress,
      Consumer<BulkLoaderReport> ended) {
    this.settings = settings;
    this.arguments = List.copyOf(arguments);
    this.version = version;
    this.clock = clock;
    this.stdin = stdin;
    this.progress = progress;
    this.ended = ended;
  }

  /**
   * Begins a load.
   *
   * @throws JobException usage, when it cannot begin; all later failures are in the report
   */
  public BulkLoaderReport load() {
    Instant began = clock.instant();
    Requirements requirements = Requirements.of(settings, began);
    LoadInput input = LoadInput.find(settings, requirements, stdin);
    try (TsdHBase hbase = requirements.connect();
        WorkDir workDir = check(requirements, hbase)) {
      workDir
          .journal()
          .append(
              new JournalEvent.Started(
                  Requirements.runId(began),
                  version,
                  arguments,
                  schemaKeys(settings),
                  began.toEpochMilli(),
                  input.journalled()));
      return run("load", began, began, requirements, hbase, workDir, input);
    }
  }

  /**
   * Resumes a load.
   *
   * @throws JobException usage, when it cannot; all later failures are in the report
   */
  public BulkLoaderReport resume() {
    Instant now = clock.instant();
    try (WorkDir workDir = WorkDir.resume(settings.run().workDir())) {
      JournalEvent.Started started = workDir.before().started().orElseThrow();
      requireSameSchema(settings, started.schema());
      Instant began = Instant.ofEpochMilli(started.cellTimestampMillis());
      Requirements requirements = Requirements.of(settings, began);
      LoadInput input = LoadInput.find(settings, requirements, stdin);
      if (!workDir.before().readDone()) {
        input.requireUnchanged(started.inputs());
      }
      try (TsdHBase hbase = requirements.connect()) {
        TableFacts table = TableFacts.read(hbase.connection(), settings.tsd().schema().dataTable());
        String unused = requirements.rowKeys(hbase, table);
        return run("resume", now, began, requirements, hbase, workDir, input);
      }
    }
  }

  /** Checks everything that can fail before reading; then opens the work directory. */
  private WorkDir check(Requirements requirements, TsdHBase hbase) {
    String unused = requirements.rowKeys(hbase, requirements.table(hbase));
    String unusedToo = requirements.coverage(hbase);
    return WorkDir.create(settings.run().workDir());
  }

  private BulkLoaderReport run(
      String command,
      Instant now,
      Instant began,
      Requirements requirements,
      TsdHBase hbase,
      WorkDir workDir,
      LoadInput input) {
    LoadState before = workDir.before();
    BulkLoaderReport report =
        new BulkLoaderReport(command, now)
            .workDirectory(workDir.path().toString())
            .inputs(input.summaries())
            .before(before.tally())
            .tally(before.tally())
            .writing(settings.write().mode().key(), requirements.stamps().toString());
    if (!input.warning().isEmpty()) {
      report.warn(input.warning());
    }
    JobException failure = null;
    try (RejectFile rejects =
        RejectFile.resume(workDir.rejected(), before.rejectLengths(), SAMPLES, before.tally())) {
      try {
        steps(
            new Session(
                settings, began, requirements.stamps(), clock, progress, hbase, workDir, report),
            input,
            rejects);
      } catch (Throwable e) {
        failure = Defects.of(e);
      } finally {
        progress.close();
        report.rejects(rejects);
      }
    }
    BulkLoaderReport end = report.closed(failure, clock.instant());
    ended.accept(end);
    workDir.journal().append(new JournalEvent.Finished(end.exitCode().code()));
    if (end.exitCode() == ExitCode.DONE && !settings.run().keepWork()) {
      workDir.removeRuns();
    }
    return end;
  }

  private void steps(Session session, LoadInput input, RejectFile rejects) {
    try {
      Runs runs = new ReadSteps(session, input, rejects).run();
      SpilledRows rows = runs.rows(settings.write().onConflict(), session.rowKey());
      PointsByMetric metrics = rows.pointsByMetric();
      session.report().metrics(metrics);
      if (!session.before().cut()) {
        OldestPoint.check(session, rows);
      }
      SortedMap<Integer, Long> days = session.workDir().now().tally().days();
      session.requireAboveFloors(rows, days);
      CoverageMasks masks = session.masks(metrics, days.keySet());
      new WriteSteps(session, masks, () -> session.requireAboveFloors(rows, days))
          .run(rows, runs.hours());
      if (settings.write().meta() && !session.before().metaDone()) {
        session.timed("meta", () -> meta(session, rows));
      }
    } catch (IOException e) {
      throw JobException.outside(
          "the work directory " + session.workDir().path() + ": " + StorageFailures.reason(e), e);
    }
  }

  /** Makes rows of tsdb-meta for the series of the load. */
  private static void meta(Session session, SpilledRows rows) throws IOException {
    try (SeriesTotals totals = rows.series();
        MetaRows meta =
            new MetaRows(
                session.hbase().connection(), session.settings().tsd().schema(), session.clock())) {
      long made = meta.write(totals::next).metaCreated();
      session.workDir().journal().append(new JournalEvent.MetaDone(made));
    }
  }

  private static Map<String, String> schemaKeys(LoadSettings settings) {
    return schemaKeys(settings.tsd().config(), settings.input().names().mapping());
  }

  /** What must be the same in a resume; not the codecs of histograms, which are not read here. */
  static Map<String, String> schemaKeys(TsdConfig config, NameMapping mapping) {
    Map<String, String> keys = new TreeMap<>();
    Stream.concat(StorageSchema.KEYS.stream(), NamesParser.KEYS.stream())
        .filter(key -> !key.equals(StorageSchema.HISTOGRAMS_CONFIG))
        .forEach(
            key -> {
              String value = config.get(key);
              if (value != null) {
                keys.put(key, value);
              }
            });
    if (!mapping.isEmpty()) {
      keys.put("--names", mapping.fingerprint());
    }
    return keys;
  }

  static void requireSameSchema(LoadSettings settings, Map<String, String> before) {
    Map<String, String> now = schemaKeys(settings);
    if (!now.equals(before)) {
      throw JobException.usage(
          ("the TSD's configuration and --names must be as they were when the load began,"
                  + " %s, found %s")
              .formatted(before, now));
    }
  }
}
