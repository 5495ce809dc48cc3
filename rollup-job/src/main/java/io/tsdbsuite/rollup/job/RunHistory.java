package io.tsdbsuite.rollup.job;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.EarlierRuns;
import io.tsdbsuite.rollup.report.FinishedPartitions;
import io.tsdbsuite.rollup.report.PlanFingerprint;
import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.resume.EarlierRun;
import io.tsdbsuite.rollup.resume.ResumeCheck;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state that a run takes over from the run it resumes, and the state that it records for a
 * later resume. For the driver's thread, except for the finished partitions.
 */
public final class RunHistory {
  private final @Nullable EarlierRun earlier;
  private final Consumer<RollupReport> file;
  private final FinishedPartitions finished;

  /** State at the start, before this run finished partitions of its own. */
  private final @Nullable EarlierRuns takenOver;

  private final RunIdentity work;

  // Until this run knows them, those of the earlier run.
  private Map<String, String> snapshots;
  private Map<String, String> target;
  private @Nullable String plan;

  private boolean refused;

  /**
   * @param work of this run; {@link ResumeCheck#options} has found it equal to the earlier run's
   * @param earlier the unfinished run that this one resumes; null for a new run
   * @param file writes the report atomically during the run, from any thread
   */
  public RunHistory(RunIdentity work, @Nullable EarlierRun earlier, Consumer<RollupReport> file) {
    RunIdentity before = earlier == null ? work : earlier.identity();
    this.work = work;
    this.snapshots = before.snapshots();
    this.target = before.target();
    this.plan = before.plan();
    this.earlier = earlier;
    this.file = file;
    this.finished = earlier == null ? new FinishedPartitions() : earlier.finished();
    this.takenOver = earlier == null ? null : earlier.toEarlierRuns();
  }

  /**
   * Records the snapshots.
   *
   * @param times creation times by the options that name the snapshots
   * @throws JobException usage, when the earlier run read others
   */
  void snapshots(Map<String, String> times) {
    if (earlier != null) {
      refuse(ResumeCheck.snapshots(earlier, times));
    }
    snapshots = times;
  }

  /**
   * Records the destination.
   *
   * @param found known properties of the destination, by names for messages
   * @throws JobException usage, when the earlier run wrote to another destination
   */
  void target(Map<String, String> found) {
    if (earlier != null) {
      refuse(ResumeCheck.target(earlier, found));
    }
    target = found;
  }

  /**
   * Records the plan.
   *
   * @return the remaining partitions, in their order
   * @throws JobException usage, when the plan differs from the earlier run's
   */
  List<RollupPartition> left(RollupPlan whole) {
    if (earlier != null) {
      refuse(ResumeCheck.plan(earlier, whole));
    }
    plan = PlanFingerprint.of(whole);
    return finished.size() == 0
        ? whole.partitions()
        : whole.partitions().stream().filter(partition -> !finished.has(partition)).toList();
  }

  private void refuse(List<String> problems) {
    if (!problems.isEmpty()) {
      refused = true;
      throw JobException.usage(problems);
    }
  }

  /**
   * Whether this run does not match the earlier one; then the earlier report must not be
   * overwritten.
   */
  boolean isRefused() {
    return refused;
  }

  /**
   * The identity of the run as known so far; values not determined yet come from the earlier run.
   */
  RunIdentity identity() {
    return new RunIdentity(work.version(), work.options(), snapshots, target, plan);
  }

  /** The finished partitions; the earlier run's come first. */
  FinishedPartitions finished() {
    return finished;
  }

  /** The state taken over from earlier runs; null for a new run. */
  @Nullable EarlierRuns earlier() {
    return takenOver;
  }

  /** Books of the partitions taken over. */
  Books booksBefore() {
    return takenOver == null ? new Books() : takenOver.books().copy();
  }

  /** Writes the report during the run. */
  Consumer<RollupReport> file() {
    return file;
  }
}
