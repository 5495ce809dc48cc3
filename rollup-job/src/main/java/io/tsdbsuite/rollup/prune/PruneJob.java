package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.threads.Workers;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mark and sweep over a root of ExportSnapshot:
 *
 * <ol>
 *   <li>{@link BackupRoot} requires a target of ExportSnapshot, not the root of a live HBase;
 *   <li>{@link Planner} lists the HFiles ({@link Archive}), then reads the manifests ({@link
 *       Snapshots}), chooses the nights to keep ({@link Nights}, {@link KeepRule}), and marks the
 *       HFiles that the manifests of all remaining snapshots name ({@link NamedFiles});
 *   <li>{@link Deletion} deletes the other nights and then the HFiles without a mark. Before each
 *       batch {@link LaterExports} marks what exports since the plan need;
 *   <li>{@link FinalCheck} lists everything again: each night that the rule keeps must be whole.
 * </ol>
 *
 * Without {@code --delete} it ends after the plan. One object is for one run.
 */
public final class PruneJob {
  private static final Logger LOG = LoggerFactory.getLogger(PruneJob.class);
  private static final int THREADS = 16;

  private final Configuration hadoop;
  private final PruneOptions options;
  private final Clock clock;
  private final Deletion.Batches batches;
  private final BackupRoot.Unknown unknown = new BackupRoot.Unknown();
  private Planner.@Nullable Plan plan;

  /**
   * @param hadoop settings of the root's file system
   * @param clock the present, for the grace time and the report
   */
  public PruneJob(Configuration hadoop, PruneOptions options, Clock clock) {
    this(hadoop, options, clock, Deletion.Batches.DEFAULT);
  }

  PruneJob(Configuration hadoop, PruneOptions options, Clock clock, Deletion.Batches batches) {
    this.hadoop = hadoop;
    this.options = options;
    this.clock = clock;
    this.batches = batches;
  }

  /** Plans, and deletes if the options say so. Failures are in the report. */
  public PruneReport run() {
    Instant started = clock.instant();
    JobException failure = null;
    try (Workers workers = new Workers("prune", THREADS)) {
      run(workers, options.times(started));
    } catch (IOException e) {
      failure = JobException.of(StorageFailures.of("--snapshot-root " + options.root(), e));
    } catch (RuntimeException | OutOfMemoryError e) {
      failure = Defects.of(e);
      if (failure.exitCode() == ExitCode.DEFECT) {
        LOG.error("prune failed", e);
      }
    }
    return report(started, failure);
  }

  private void run(Workers workers, PruneOptions.Times times) throws IOException {
    BackupRoot root = BackupRoot.open(hadoop, options.root(), workers, unknown);
    Snapshots snapshots = new Snapshots(root, options, times);
    Markers markers = new Markers(root, options, unknown);
    Planner.Plan made = new Planner(root, options, times, snapshots, markers, unknown).plan();
    plan = made;
    if (options.delete()) {
      LaterExports laterExports = new LaterExports(root, made, options, snapshots);
      FileDeleter deleter = new FileDeleter(root);
      new Deletion(root, made, markers, laterExports, batches, deleter).run();
      new FinalCheck(root, made, snapshots).run();
    }
  }

  private PruneReport report(Instant started, @Nullable JobException failure) {
    Planner.Plan made = plan;
    PruneBooks books = made == null ? null : made.books(options.delete());
    JobException problem = failure;
    if (books != null && !books.close()) {
      problem = Defects.openBooks();
    }
    String message = problem == null ? "" : problem.getMessage() + nothing(made);
    return new PruneReport(
        problem == null ? ExitCode.DONE : problem.exitCode(),
        message,
        started,
        clock.instant(),
        options,
        made == null
            ? List.of()
            : made.nights().all().stream()
                .map(
                    night ->
                        PruneReport.NightResult.of(night, made.notWhole().contains(night.date())))
                .toList(),
        books,
        unknown.count(),
        unknown.samples(),
        made == null ? List.of() : made.warnings());
  }

  /** What a user wants to know first after a failure. */
  private static String nothing(Planner.@Nullable Plan made) {
    return made == null ? ". Nothing was deleted." : "";
  }
}
