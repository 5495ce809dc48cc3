package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.job.JobException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.Success$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import scala.Option;

/**
 * Remembers the exception of the last failed task, which Spark itself passes on only as text, and
 * knows whether tasks still run, which go on for a while after their job was cancelled. The failure
 * of a task that went well in the end is forgotten.
 */
final class TaskFailures extends SparkListener {
  private static final int WAIT_SECONDS = 5;
  private static final long IDLE_WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** A task, whichever attempt. */
  private record Task(int stage, int index) {}

  private final Map<Task, JobException> failures = new LinkedHashMap<>();
  private final CountDownLatch told = new CountDownLatch(1);
  private int running;

  @Override
  public synchronized void onTaskStart(SparkListenerTaskStart start) {
    running++;
  }

  /** Waits, but not for ever, until no task runs that is known to have started. */
  synchronized void awaitIdle() {
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
    notifyAll();
    Task task = new Task(end.stageId(), end.taskInfo().index());
    if (end.reason() instanceof ExceptionFailure failure) {
      failures.remove(task);
      failures.put(task, judged(failure));
      told.countDown();
    } else if (end.reason() == Success$.MODULE$) {
      failures.remove(task);
    }
  }

  private static JobException judged(ExceptionFailure failure) {
    Option<Throwable> exception = failure.exception();
    Throwable thrown = exception.isDefined() ? exception.get() : null;
    if (thrown instanceof JobException known) {
      return known;
    }
    String what = "a task failed: " + failure.className() + ": " + failure.description();
    return SparkFailures.isDefect(thrown)
        ? Defects.defect(what, thrown)
        : JobException.outside(what, thrown);
  }

  /**
   * The exception of the task that failed last, and did not go well afterwards; null when none has.
   * Spark tells its listeners in a thread of its own, so this waits a little for the news of a job
   * that is known to have failed.
   */
  JobException last() {
    try {
      boolean unused = told.await(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      JobException last = null;
      for (JobException failure : failures.values()) {
        last = failure;
      }
      return last;
    }
  }
}
