package io.tsdbsuite.rollup.job;

import io.tsdbsuite.rollup.error.RollupException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import scala.Option;

/**
 * Remembers the exception of the last failed task, which Spark itself passes on only as text, and
 * knows whether tasks still run, which go on for a while after their job was cancelled.
 */
final class TaskFailures extends SparkListener {
  private static final int WAIT_SECONDS = 5;
  private static final long IDLE_WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final AtomicReference<RollupException> last = new AtomicReference<>();
  private final CountDownLatch told = new CountDownLatch(1);
  private int running;

  private TaskFailures() {}

  /**
   * Runs jobs of Spark.
   *
   * @param cancelled whether the jobs were cancelled, which is no failure
   * @return null when they were cancelled
   * @throws RollupException what the last failed task threw, when a task has failed too often;
   *     outside, when it is Spark that failed
   */
  static <T> T watch(JavaSparkContext spark, Supplier<T> jobs, BooleanSupplier cancelled) {
    TaskFailures failures = new TaskFailures();
    spark.sc().addSparkListener(failures);
    try {
      return jobs.get();
    } catch (Exception e) {
      // SparkException among them: it is checked, but Scala does not declare it.
      failures.awaitIdle();
      if (cancelled.getAsBoolean()) {
        return null;
      }
      RollupException known = failures.last();
      throw known == null ? RollupException.outside("Spark failed: " + e.getMessage(), e) : known;
    } finally {
      spark.sc().removeSparkListener(failures);
    }
  }

  /** The same for jobs that nobody cancels. */
  static <T> T watch(JavaSparkContext spark, Supplier<T> jobs) {
    return watch(spark, jobs, () -> false);
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

  private synchronized void ended() {
    running--;
    notifyAll();
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    ended();
    if (end.reason() instanceof ExceptionFailure failure) {
      Option<Throwable> exception = failure.exception();
      if (exception.isDefined() && exception.get() instanceof RollupException known) {
        last.set(known);
      } else {
        last.set(
            RollupException.outside(
                "a task failed: " + failure.className() + ": " + failure.description(), null));
      }
      told.countDown();
    }
  }

  /**
   * The exception of the task that failed last; null when none has. Spark tells its listeners in a
   * thread of its own, so this waits a little for the news of a job that is known to have failed.
   */
  private RollupException last() {
    try {
      told.await(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return last.get();
  }
}
