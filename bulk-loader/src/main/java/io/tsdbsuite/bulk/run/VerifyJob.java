package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.journal.WorkDir;
import io.tsdbsuite.bulk.progress.ProgressTracker;
import io.tsdbsuite.bulk.report.BulkLoaderReport;
import io.tsdbsuite.bulk.report.RejectFile;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.row.Rows;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.bulk.stored.Findings;
import io.tsdbsuite.bulk.stored.RowComparison;
import io.tsdbsuite.bulk.verify.Verification;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;

/** Reads input as a load does, and compares it with the table. Assigns no UIDs. */
public final class VerifyJob {
  private static final int RANGES_PER_THREAD = 8;
  private static final int BATCH_ROWS = 1024;
  private static final long BATCH_BYTES = 4L << 20;
  private static final int SAMPLES = 20;
  private static final byte[] NONE = {};

  private final LoadSettings settings;
  private final Clock clock;
  private final InputStream stdin;
  private final ProgressTracker progress;

  /** A job; its work directory is emptied at the end unless it is to be kept. */
  public VerifyJob(
      LoadSettings settings, Clock clock, InputStream stdin, ProgressTracker progress) {
    this.settings = settings;
    this.clock = clock;
    this.stdin = stdin;
    this.progress = progress;
  }

  /**
   * Compares.
   *
   * @throws JobException when the comparison did not come to its end
   */
  public Verification run() {
    Instant began = clock.instant();
    Requirements requirements = Requirements.of(settings, began);
    LoadInput input = LoadInput.find(settings, requirements, stdin);
    try (TsdHBase hbase = requirements.connect();
        WorkDir workDir = WorkDir.create(settings.run().workDir());
        RejectFile rejects = RejectFile.create(workDir.rejected(), SAMPLES)) {
      workDir
          .journal()
          .append(
              new JournalEvent.Started(
                  "verify",
                  "",
                  List.of("verify"),
                  Map.of(),
                  began.toEpochMilli(),
                  input.journalled()));
      Session session =
          new Session(
              settings,
              began,
              requirements.stamps(),
              clock,
              progress,
              hbase,
              workDir,
              new BulkLoaderReport("verify", began));
      Verification result = run(session, input, rejects);
      workDir.journal().append(new JournalEvent.Finished(0));
      if (!settings.run().keepWork()) {
        workDir.removeRuns();
      }
      return result;
    } catch (IOException e) {
      throw JobException.outside(
          "the work directory " + settings.run().workDir() + ": " + StorageFailures.reason(e), e);
    }
  }

  private Verification run(Session session, LoadInput input, RejectFile rejects)
      throws IOException {
    Runs runs = new ReadSteps(session, input, rejects).run();
    Rows rows = runs.rows(settings.write().onConflict(), session.rowKey());
    Tally tally = runs.counted();
    Findings findings = new Findings();
    progress.begin("compare", "rows", runs.hours(), 0);
    List<byte[]> cuts = rows.cuts(settings.run().threads() * RANGES_PER_THREAD);
    AtomicInteger next = new AtomicInteger();
    Workers workers = new Workers("comparing", settings.run().threads());
    workers.run(
        () -> {
          try (RowComparison comparison =
              new RowComparison(
                  session
                      .hbase()
                      .connection()
                      .getTable(TableName.valueOf(settings.tsd().schema().dataTable())),
                  settings.tsd().schema(),
                  TargetTable.names(session.hbase(), settings.tsd().schema()))) {
            int range = next.getAndIncrement();
            while (range <= cuts.size() && workers.goesOn()) {
              byte[] from = range == 0 ? NONE : cuts.get(range - 1);
              byte[] to = range == cuts.size() ? NONE : cuts.get(range);
              try (RowSource source = rows.open(from, to)) {
                compare(source, comparison, findings);
                synchronized (tally) {
                  tally.add(source.drain());
                }
              }
              range = next.getAndIncrement();
            }
          }
        });
    progress.end();
    return new Verification(tally, findings);
  }

  private void compare(RowSource source, RowComparison comparison, Findings findings)
      throws IOException {
    List<EncodedRow> batch = new ArrayList<>();
    EncodedRow next = source.next();
    while (next != null) {
      batch.clear();
      long bytes = 0;
      long points = 0;
      while (next != null
          && ((batch.size() < BATCH_ROWS && bytes < BATCH_BYTES)
              || Arrays.equals(next.key(), batch.get(batch.size() - 1).key()))) {
        batch.add(next);
        bytes += next.size();
        points += next.points();
        next = source.next();
      }
      comparison.compare(batch, findings);
      progress.advance(batch.size(), points, bytes);
    }
  }
}
