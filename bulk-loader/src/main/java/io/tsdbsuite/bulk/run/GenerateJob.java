package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.journal.WorkDir;
import io.tsdbsuite.bulk.progress.ProgressTracker;
import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.report.PointsByMetric;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.series.SeriesRefusal;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.bulk.uid.UidAssigner;
import io.tsdbsuite.bulk.uid.UidSeriesResolver;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.synthetic.SyntheticNames;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.row.SyntheticRows;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Writes synthetic points straight into rows. */
public final class GenerateJob {
  private static final long HOUR = 3600;

  private final LoadSettings settings;
  private final SyntheticShape shape;
  private final Clock clock;
  private final ProgressTracker progress;

  /**
   * @param settings without input
   */
  public GenerateJob(
      LoadSettings settings, SyntheticShape shape, Clock clock, ProgressTracker progress) {
    this.settings = settings;
    this.shape = shape;
    this.clock = clock;
    this.progress = progress;
  }

  /**
   * Writes them.
   *
   * @throws JobException when it cannot begin; later failures are in the report
   */
  public BulkLoaderReport run() {
    Instant began = clock.instant();
    Requirements requirements = Requirements.of(settings, began);
    CellTimestamps stamps = requirements.stamps();
    try (TsdHBase hbase = requirements.connect();
        WorkDir workDir = WorkDir.create(settings.run().workDir())) {
      BulkLoaderReport report =
          new BulkLoaderReport("generate", began)
              .workDirectory(workDir.path().toString())
              .writing(settings.write().mode().key(), stamps.toString());
      Session session =
          new Session(settings, began, stamps, clock, progress, hbase, workDir, report);
      TableFacts table = session.table();
      requireNoProblems(settings, shape, table, stamps, began, clock);
      requireAboveFloors(hbase, settings, shape, clock);
      String unused = requirements.rowKeys(hbase, table);
      workDir
          .journal()
          .append(
              new JournalEvent.Started(
                  session.runId(),
                  "",
                  List.of("generate"),
                  Map.of(),
                  began.toEpochMilli(),
                  List.of()));
      return run(session);
    }
  }

  static void requireNoProblems(
      LoadSettings settings,
      SyntheticShape shape,
      TableFacts table,
      CellTimestamps stamps,
      Instant began,
      Clock clock) {
    List<String> problems =
        new ArrayList<>(
            table.problems(
                stamps,
                shape.start().toEpochMilli(),
                clock.millis(),
                settings.write().mode() == Mode.HFILE));
    if (settings.write().needsUnreplicated()) {
      problems.addAll(table.unreplicated());
    }
    long active = ActiveHours.from(began.getEpochSecond());
    if (!settings.write().allowActiveHours()
        && shape.start().plus(shape.span()).getEpochSecond() > active) {
      throw JobException.usage(
          ("generated points must end before %s, since TSDs may still write later hours"
                  + " (--allow-active-hours), found %s")
              .formatted(Instant.ofEpochSecond(active), shape.start().plus(shape.span())));
    }
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
  }

  /** Checks that no point is below the floor of its metric. */
  static void requireAboveFloors(
      TsdHBase hbase, LoadSettings settings, SyntheticShape shape, Clock clock) {
    BelowFloors below = BelowFloors.read(hbase, settings.write(), clock.millis());
    long from = shape.start().getEpochSecond() / HOUR * HOUR;
    long to = Math.min(below.highest(), shape.start().plus(shape.span()).getEpochSecond() + 1);
    SyntheticNames names = new SyntheticNames(shape);
    IntStream.range(0, from < to ? shape.series() : 0)
        .mapToObj(names::metric)
        .distinct()
        .forEach(
            metric -> {
              for (long hour = from; hour < to; hour += HOUR) {
                long points = pointsBefore(shape, hour + HOUR) - pointsBefore(shape, hour);
                below.add(metric, hour, points * shape.sensors());
              }
            });
    below.require();
  }

  /** Points of a series before a time, seconds since the epoch, without their jitter. */
  private static long pointsBefore(SyntheticShape shape, long seconds) {
    long millis = seconds * 1000 - shape.start().toEpochMilli();
    long points = -Math.floorDiv(-millis, shape.intervalMillis());
    return Math.max(0, Math.min(shape.pointsPerSeries(), points));
  }

  private BulkLoaderReport run(Session session) {
    JobException failure = null;
    try {
      SyntheticRows rows = new SyntheticRows(shape, session.rowKey(), templates(session));
      new WriteSteps(
              session,
              masks(session),
              () -> requireAboveFloors(session.hbase(), settings, shape, clock))
          .run(new GeneratedRows(rows), rows.rows());
    } catch (IOException e) {
      failure = JobException.outside("the rows were not written: " + StorageFailures.reason(e), e);
    } catch (Throwable e) {
      failure = Defects.of(e);
    } finally {
      progress.close();
    }
    BulkLoaderReport report = session.report().closed(failure, clock.instant());
    session.workDir().journal().append(new JournalEvent.Finished(report.exitCode().code()));
    return report;
  }

  private CoverageMasks masks(Session session) {
    SyntheticNames names = new SyntheticNames(shape);
    PointsByMetric metrics = new PointsByMetric();
    IntStream.range(0, shape.series())
        .mapToObj(names::metric)
        .distinct()
        .forEach(metric -> metrics.add(metric, 1));
    long last = shape.start().plus(shape.span()).minusMillis(1).getEpochSecond();
    List<Integer> days =
        IntStream.rangeClosed(day(shape.start().getEpochSecond()), day(last)).boxed().toList();
    return session.masks(metrics, days);
  }

  private static int day(long seconds) {
    return Math.toIntExact(Math.floorDiv(seconds, 86_400L));
  }

  private List<byte[]> templates(Session session) {
    SyntheticNames names = new SyntheticNames(shape);
    List<NewSeries> series =
        IntStream.range(0, shape.series())
            .mapToObj(i -> new NewSeries(names.metric(i), names.tags(i)))
            .toList();
    try (UidAssigner uids =
        new UidAssigner(
            session.hbase().connection(), settings.tsd().schema(), settings.write().create())) {
      new UidSeriesResolver(uids, settings.tsd().schema()).resolve(series);
      for (UidKind kind : UidKind.values()) {
        session.report().uids(kind.qualifier(), uids.assigned(kind));
      }
    }
    for (NewSeries one : series) {
      SeriesRefusal refusal = one.refusal();
      if (refusal != null) {
        throw JobException.badInput(refusal.detail());
      }
    }
    return series.stream().map(NewSeries::template).toList();
  }
}
