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

/**
 * What a run has from the one that it goes on with, and what it leaves to one that will go on with
 * it. For the driver's thread, but for the finished partitions.
 */
public final class RunHistory {
  private final EarlierRun earlier;
  private final Consumer<RollupReport> file;
  private final FinishedPartitions finished;

  /** As it was at the start, before this run finished partitions of its own. */
  private final EarlierRuns takenOver;

  private RunIdentity identity;
  private boolean refused;

  private RunHistory(RunIdentity identity, EarlierRun earlier, Consumer<RollupReport> file) {
    this.identity = identity;
    this.earlier = earlier;
    this.file = file;
    this.finished = earlier == null ? new FinishedPartitions() : earlier.finished();
    this.takenOver = earlier == null ? null : earlier.toEarlierRuns();
  }

  /**
   * A run that begins anew.
   *
   * @param identity what it is asked to do
   * @param file takes the report while the run goes on, whole or not at all, from any thread
   */
  public static RunHistory fresh(RunIdentity identity, Consumer<RollupReport> file) {
    return new RunHistory(identity, null, file);
  }

  /**
   * A run that goes on with another one.
   *
   * @param identity what it is asked to do, which {@link ResumeCheck#options} has found the same
   * @param file as for {@link #fresh}
   * @param earlier the other one, which is not done
   */
  public static RunHistory resumed(
      RunIdentity identity, Consumer<RollupReport> file, EarlierRun earlier) {
    return new RunHistory(identity, earlier, file);
  }

  /**
   * Takes note of the snapshots.
   *
   * @param times when they were taken, by the options that name them
   * @throws JobException usage, when the earlier run read others
   */
  void snapshots(Map<String, String> times) {
    if (earlier != null) {
      refuse(ResumeCheck.snapshots(earlier, times));
    }
    identity = identity.withSnapshots(times);
  }

  /**
   * Takes note of the place that is written to.
   *
   * @param found what is known of it, by names for messages
   * @throws JobException usage, when the earlier run wrote to another one
   */
  void target(Map<String, String> found) {
    if (earlier != null) {
      refuse(ResumeCheck.target(earlier, found));
    }
    identity = identity.withTarget(found);
  }

  /**
   * Takes note of the plan.
   *
   * @return the partitions that are left to be read, in their order
   * @throws JobException usage, when it is not the earlier run's plan
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

  /** Whether this run does not fit the earlier one, whose report must stay as it is then. */
  boolean isRefused() {
    return refused;
  }

  /**
   * What was found out about the run; what an earlier one knew, as long as it is not known anew.
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

  /** The finished partitions, those of the earlier run first. */
  FinishedPartitions finished() {
    return finished;
  }

  /** What was taken over; null when nothing was. */
  EarlierRuns earlier() {
    return takenOver;
  }

  /** Books of what was taken over. */
  Books booksBefore() {
    return takenOver == null ? new Books() : takenOver.books().copy();
  }

  /** Where the report goes while the run goes on. */
  Consumer<RollupReport> file() {
    return file;
  }
}
