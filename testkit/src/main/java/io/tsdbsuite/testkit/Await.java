package io.tsdbsuite.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for conditions with a timeout; tests use it instead of sleeping. */
public final class Await {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * A machine with other work may be ten times slower. The time matters only where the condition
   * never holds.
   */
  private static final Duration LEAST = Duration.ofMinutes(5);

  private Await() {}

  /**
   * Waits until a condition holds.
   *
   * @param what the condition in words, for the message
   * @param timeout maximum time; five minutes where it is less
   * @param condition polled every 20 ms; an exception from it ends the wait
   * @throws ServerException when it does not hold in time, or fails
   */
  public static void until(String what, Duration timeout, Callable<Boolean> condition) {
    value(what, timeout, () -> condition.call() ? Optional.of(true) : Optional.empty());
  }

  /**
   * Waits for a value.
   *
   * @param <T> the value's type
   * @param what the value in words, for the message
   * @param timeout maximum time; five minutes where it is less
   * @param source polled every 20 ms; an exception from it ends the wait
   * @return the first value
   * @throws ServerException when there is no value in time, or the source fails
   */
  public static <T> T value(String what, Duration timeout, Callable<Optional<T>> source) {
    return within(timeout.compareTo(LEAST) < 0 ? LEAST : timeout, what, source);
  }

  /** Waits for exactly this time. */
  static <T> T within(Duration timeout, String what, Callable<Optional<T>> source) {
    long end = System.nanoTime() + timeout.toNanos();
    for (; ; ) {
      Optional<T> value;
      try {
        value = source.call();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new ServerException("while waiting for " + what, e);
      }
      if (value.isPresent()) {
        return value.get();
      }
      if (System.nanoTime() - end > 0) {
        throw new ServerException("waited " + timeout.toMillis() + " ms for " + what);
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new ServerException("interrupted while waiting for " + what);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
