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

  private RunIdentity identity;
  private boolean refused;

  private RunHistory(
      RunIdentity identity, @Nullable EarlierRun earlier, Consumer<RollupReport> file) {
    this.identity = identity;
    this.earlier = earlier;
    this.file = file;
    this.finished = earlier == null ? new FinishedPartitions() : earlier.finished();
    this.takenOver = earlier == null ? null : earlier.toEarlierRuns();
  }

  /**
   * Creates the history of a new run.
   *
   * @param identity identity of this run
   * @param file writes the report atomically during the run, from any thread
   */
  public static RunHistory fresh(RunIdentity identity, Consumer<RollupReport> file) {
    return new RunHistory(identity, null, file);
  }

  /**
   * Creates the history of a run that resumes another one.
   *
   * @param identity the requested work, which {@link ResumeCheck#options} has found equal to the
   *     earlier run's
   * @param file as for {@link #fresh}
   * @param earlier the unfinished earlier run
   */
  public static RunHistory resumed(
      RunIdentity identity, Consumer<RollupReport> file, EarlierRun earlier) {
    return new RunHistory(identity, earlier, file);
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
    identity = identity.withSnapshots(times);
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
    identity = identity.withTarget(found);
  }

  /**
   * Records the plan.
   *
   * @return the remaining partitions, in their order
   * @throws JobException usage, when the plan differs from the earlier run's
   */
  List<RollupPartition> left(RollupPlan plan) {
    if (earlier != null) {
      refuse(ResumeCheck.plan(earlier, plan));
    }
    identity = identity.withPlan(PlanFingerprint.of(plan));
    return finished.size() == 0
        ? plan.partitions()
        : plan.partitions().stream().filter(partition -> !finished.has(partition)).toList();
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
    if (earlier == null) {
      return identity;
    }
    RunIdentity before = earlier.identity();
    return new RunIdentity(
        identity.version(),
        identity.options(),
        identity.snapshots().isEmpty() ? before.snapshots() : identity.snapshots(),
        identity.target().isEmpty() ? before.target() : identity.target(),
        identity.plan() == null ? before.plan() : identity.plan());
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
