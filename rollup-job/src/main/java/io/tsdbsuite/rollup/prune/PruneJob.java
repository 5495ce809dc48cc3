package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.error.Defects;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mark and sweep over a root of ExportSnapshot: chooses the nights to keep, marks the HFiles that
 * the manifests of all remaining snapshots name, deletes the other nights and then the HFiles
 * without a mark. One object is for one run.
 */
public final class PruneJob {
  private static final Logger LOG = LoggerFactory.getLogger(PruneJob.class);

  private final Configuration hadoop;
  private final PruneOptions options;
  private final Clock clock;
  private final Sweep.Batches batches;
  private final Unknown unknown = new Unknown();
  private @Nullable PrunePlan plan;

  /**
   * @param hadoop settings of the root's file system
   * @param clock the present, for the grace time and the report
   */
  public PruneJob(Configuration hadoop, PruneOptions options, Clock clock) {
    this(hadoop, options, clock, Sweep.Batches.DEFAULT);
  }

  PruneJob(Configuration hadoop, PruneOptions options, Clock clock, Sweep.Batches batches) {
    this.hadoop = hadoop;
    this.options = options;
    this.clock = clock;
    this.batches = batches;
  }

  /** Plans, and deletes if the options say so. Failures are in the report. */
  public PruneReport run() {
    Instant started = clock.instant();
    JobException failure = null;
    try (Workers workers = new Workers()) {
      run(workers, PruneTimes.of(started, options.grace()));
    } catch (IOException e) {
      failure = JobException.of(StorageFailures.of("--snapshot-root " + options.root(), e));
    } catch (RuntimeException e) {
      failure = Defects.of(e);
      if (failure.exitCode() == ExitCode.DEFECT) {
        LOG.error("prune failed", e);
      }
    }
    return report(started, failure);
  }

  private void run(Workers workers, PruneTimes times) throws IOException {
    BackupRoot root = BackupRoot.open(hadoop, options.root(), unknown);
    PrunePlan made = new Planner(root, workers, options, times, unknown).plan();
    plan = made;
    if (!options.delete()) {
      return;
    }
    FileDeleter bulk = BulkDeleter.of(root, workers);
    Snapshots snapshots = new Snapshots(root, workers, options, times);
    new Sweep(
            root,
            made,
            workers,
            bulk == null ? new SingleDeleter(root.files(), workers) : bulk,
            new Markers(root, options, unknown),
            new Watch(made, options, snapshots),
            batches)
        .run();
    Proof proof = new Proof(root, made, workers, snapshots);
    proof.check();
    if (!proof.problems().isEmpty()) {
      throw JobException.badInput(String.join(System.lineSeparator(), proof.problems()));
    }
    if (proof.stillThere() > 0) {
      throw JobException.outside(
          proof.stillThere() + " files are still there after storage reported their deletion");
    }
  }

  private PruneReport report(Instant started, @Nullable JobException failure) {
    PrunePlan made = plan;
    PruneBooks books = made == null ? null : PruneBooks.of(made, options.delete());
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
  private static String nothing(@Nullable PrunePlan made) {
    return made == null ? ". Nothing was deleted." : "";
  }
}
