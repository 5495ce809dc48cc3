package io.tsdbsuite.rollup.job;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.PartitionJobs;
import io.tsdbsuite.job.spark.TaskFailures;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailureLimits;
import io.tsdbsuite.rollup.sink.SinkResult;
import io.tsdbsuite.rollup.spark.SparkFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Runs the tasks, adds up their books and stops the job when failures exceed a limit. */
final class TaskCollector {
  private final JavaSparkContext spark;
  private final FailureLimits limits;
  private final Consumer<TaskResult> finishedTasks;
  private final String group = "rollup-" + UUID.randomUUID();
  private final Books books = new Books();
  private final List<SinkResult> sinkResults = new ArrayList<>();
  private int finished;
  private boolean stopped;

  /**
   * @param finishedTasks called on the driver, one at a time, with each result of a complete
   *     partition; must not block
   */
  TaskCollector(JavaSparkContext spark, FailureLimits limits, Consumer<TaskResult> finishedTasks) {
    this.spark = spark;
    this.limits = limits;
    this.finishedTasks = finishedTasks;
  }

  /**
   * Runs one task for each partition.
   *
   * @throws JobException the exception of the last failed attempt, when a task has failed too often
   */
  void run(List<RollupPartition> partitions, RollupTask task) {
    guard(
        "roll up " + partitions.size() + " partitions",
        () -> PartitionJobs.run(spark, partitions, task::run, this::add));
    requireAll(partitions.size());
  }

  /**
   * Runs one task for each partition and writes their rollups, unless failures exceed a limit.
   *
   * @param partitions number of partitions
   * @throws JobException the exception of the last failed attempt, when a task has failed too often
   */
  void run(int partitions, ShuffledRollup rollup) {
    SparkListener early =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            // Otherwise the other tasks would read for hours, and their rollups would never be
            // written.
            rollup.stopped().ifPresent(TaskCollector.this::addUnlessStopped);
          }
        };
    spark.sc().addSparkListener(early);
    try {
      guard("roll up " + partitions + " partitions", () -> rollup.read(this::addUnlessStopped));
    } finally {
      spark.sc().removeSparkListener(early);
    }
    requireAll(partitions);
    if (!isStopped()) {
      guard("write rollups", () -> acknowledged(rollup.write()));
    }
  }

  private synchronized void acknowledged(long cells) {
    books.messages(0, cells);
  }

  /** Runs Spark jobs and translates their failure, unless the jobs were cancelled. */
  private void guard(String description, Runnable jobs) {
    spark.setJobGroup(group, description, true);
    try {
      TaskFailures.watch(spark, SparkFailures.RULES, jobs, this::isStopped);
    } finally {
      spark.clearJobGroup();
    }
  }

  private synchronized void requireAll(int partitions) {
    if (!stopped && finished != partitions) {
      throw JobException.defect(
          "the books do not close: Spark ended with %s of %s partitions done"
              .formatted(finished, partitions),
          null);
    }
  }

  private synchronized void addUnlessStopped(TaskResult result) {
    if (!stopped) {
      add(result);
    }
  }

  private synchronized void add(TaskResult result) {
    finished++;
    books.add(result.books());
    if (result.sink() != null) {
      sinkResults.add(result.sink());
    }
    if (!result.stopped()) {
      finishedTasks.accept(result);
    }
    if (!stopped && (result.stopped() || limits.areExceededBy(books))) {
      stopped = true;
      spark.sc().cancelJobGroup(group);
    }
  }

  /** The books of the partitions that finished. */
  synchronized Books books() {
    return books;
  }

  /** Sink results to commit, one for each partition. */
  synchronized List<SinkResult> sinkResults() {
    return List.copyOf(sinkResults);
  }

  /** Whether the job was stopped because too many rows failed. */
  synchronized boolean isStopped() {
    return stopped;
  }
}
