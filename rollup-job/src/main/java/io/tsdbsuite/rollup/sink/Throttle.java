package io.tsdbsuite.rollup.sink;

import java.util.concurrent.TimeUnit;

/**
 * Spaces messages evenly; credit for idle time is not given. Not for more than one thread.
 *
 * <p>Sleeps only once it is a millisecond ahead, so that a high rate costs no system call per
 * message; short of that, the rate holds from the first message on.
 */
final class Throttle {
  /** Being ahead by less is not worth a sleep. */
  private static final long WORTH_SLEEPING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Time, so that tests need none. */
  interface Clock {
    /** Nanoseconds of a clock that never goes back. */
    long nanoTime();

    /** Waits. */
    void sleep(long nanos) throws InterruptedException;

    /** The real one. */
    Clock SYSTEM =
        new Clock() {
          @Override
          public long nanoTime() {
            return System.nanoTime();
          }

          @Override
          public void sleep(long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(nanos);
          }
        };
  }

  private final Clock clock;

  /** Nanoseconds per message; 0 = unlimited. */
  private final double spacing;

  /** When the next message is due, after {@link #start}, in nanoseconds. */
  private double due;

  private final long start;

  /**
   * Starts to count.
   *
   * @param perSecond messages per second; 0 = unlimited
   */
  Throttle(double perSecond, Clock clock) {
    this.clock = clock;
    this.spacing = perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / perSecond;
    this.start = clock.nanoTime();
  }

  /** Waits until the next message may go. */
  void acquire() throws InterruptedException {
    if (spacing == 0) {
      return;
    }
    long now = clock.nanoTime() - start;
    if (due <= now) {
      due = now;
    } else if (due - now >= WORTH_SLEEPING_NANOS) {
      clock.sleep((long) (due - now));
    }
    due += spacing;
  }
}
