package io.tsdbsuite.job.spark;

import io.tsdbsuite.job.JobException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.Success$;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Remembers the exceptions of failed tasks, which Spark itself passes on only as text, until
 * another attempt of the task succeeds, and knows whether tasks still run, which go on for a while
 * after their job was cancelled.
 */
public final class TaskFailures extends SparkListener {
  private static final long TOLD_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long IDLE_WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The one that failed last is the last. */
  private final Map<Task, Failure> failures = new LinkedHashMap<>();

  private int running;

  private record Task(int stage, int partition) {}

  /**
   * @param description as Spark repeats it in the exception of the job
   */
  private record Failure(String description, JobException exception) {}

  private final FailureRules rules;

  /** For a test, which reports tasks itself. */
  public TaskFailures(FailureRules rules) {
    this.rules = rules;
  }

  /**
   * Runs jobs of Spark.
   *
   * @param rules of the program
   * @param cancelled whether the jobs were cancelled, which is no failure
   * @throws JobException the exception of the task, when a task has failed too often; else outside,
   *     when it is Spark that failed, and defect, when it is the program
   */
  public static void watch(
      JavaSparkContext spark, FailureRules rules, Runnable jobs, BooleanSupplier cancelled) {
    TaskFailures failures = new TaskFailures(rules);
    spark.sc().addSparkListener(failures);
    try {
      jobs.run();
    } catch (Exception e) {
      failures.awaitIdle();
      if (cancelled.getAsBoolean()) {
        return;
      }
      JobException known =
          rules.isOfDriver(e) ? null : failures.cause(String.valueOf(e.getMessage()));
      throw known == null ? rules.ofDriver(e, spark.sc().isStopped()) : known;
    } finally {
      spark.sc().removeSparkListener(failures);
    }
  }

  @Override
  public synchronized void onTaskStart(SparkListenerTaskStart start) {
    running++;
  }

  /** Waits, but not for ever, until no task runs that is known to have started. */
  private synchronized void awaitIdle() {
    long end = System.nanoTime() + IDLE_WAIT_NANOS;
    try {
      for (long left = IDLE_WAIT_NANOS; running > 0 && left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    running--;
    Task task = new Task(end.stageId(), end.taskInfo().partitionId());
    if (end.reason() instanceof ExceptionFailure failure) {
      failures.remove(task);
      failures.put(task, new Failure(String.valueOf(failure.description()), exception(failure)));
    } else if (end.reason() == Success$.MODULE$) {
      failures.remove(task);
    }
    notifyAll();
  }

  private JobException exception(ExceptionFailure failure) {
    Option<Throwable> exception = failure.exception();
    JobException known = exception.isDefined() ? JobException.known(exception.get()) : null;
    return known == null ? rules.ofTask(failure) : known;
  }

  /**
   * The exception of the task for which Spark gave up, else of the task that failed last; null when
   * none has failed that did not succeed later. Spark tells its listeners in a thread of its own,
   * so this waits a little for the news of a job that is known to have failed.
   *
   * @param message of Spark's exception
   */
  public synchronized @Nullable JobException cause(String message) {
    long end = System.nanoTime() + TOLD_WAIT_NANOS;
    try {
      JobException named = named(message);
      for (long left = TOLD_WAIT_NANOS; named == null && left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        named = named(message);
      }
      if (named != null) {
        return named;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return last(failure -> true);
  }

  private @Nullable JobException named(String message) {
    return last(failure -> message.contains(failure.description()));
  }

  private @Nullable JobException last(Predicate<Failure> wanted) {
    return failures.values().stream()
        .filter(wanted)
        .map(Failure::exception)
        .reduce((before, after) -> after)
        .orElse(null);
  }
}
