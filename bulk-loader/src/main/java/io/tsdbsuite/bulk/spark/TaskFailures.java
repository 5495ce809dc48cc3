package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.error.LoadException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.ExceptionFailure;
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

  private final AtomicReference<LoadException> last = new AtomicReference<>();
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

  private synchronized void ended() {
    running--;
    notifyAll();
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    ended();
    if (end.reason() instanceof ExceptionFailure failure) {
      Option<Throwable> exception = failure.exception();
      if (exception.isDefined() && exception.get() instanceof LoadException known) {
        last.set(known);
      } else {
        last.set(
            LoadException.outside(
                "a task failed: " + failure.className() + ": " + failure.description(), null));
      }
      told.countDown();
    }
  }

  /**
   * The exception of the task that failed last; null when none has. Spark tells its listeners in a
   * thread of its own, so this waits a little for the news of a job that is known to have failed.
   */
  LoadException last() {
    try {
      boolean unused = told.await(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return last.get();
  }
}
