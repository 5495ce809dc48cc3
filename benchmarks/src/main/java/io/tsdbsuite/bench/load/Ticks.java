package io.tsdbsuite.bench.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A monotonic clock that can wait; tests simulate it. */
public interface Ticks {
  /** The system's clock. */
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

  /** Nanoseconds since an arbitrary origin. */
  long nanos();

  /**
   * Waits until a time or a stop condition.
   *
   * @param end time to wait for, on the scale of {@link #nanos()}
   * @param stop ends the wait early when true
   */
  void waitUntil(long end, BooleanSupplier stop);
}
