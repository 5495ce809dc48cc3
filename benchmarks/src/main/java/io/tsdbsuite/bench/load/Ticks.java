package io.tsdbsuite.bench.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Passing time. */
public interface Ticks {
  /** The machine's own. */
  Ticks SYSTEM =
      new Ticks() {
        private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void waitUntil(long end, BooleanSupplier stop) {
          for (long left = end - nanos(); left > 0 && !stop.getAsBoolean(); left = end - nanos()) {
            LockSupport.parkNanos(Math.min(left, MAX_PARK_NANOS));
          }
        }
      };

  /** Nanoseconds since some moment. */
  long nanos();

  /**
   * Waits.
   *
   * @param end when to go on, as {@link #nanos()} tells it
   * @param stop goes on earlier when this says so
   */
  void waitUntil(long end, BooleanSupplier stop);
}
