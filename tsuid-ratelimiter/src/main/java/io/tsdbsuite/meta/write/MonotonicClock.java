package io.tsdbsuite.meta.write;

/** The wall clock at the start, then the JVM's monotonic clock, which is never set back. */
public final class MonotonicClock implements Clock {
  private static final long NANOS = 1_000_000_000L;

  private final long startNanos = System.nanoTime();
  private final long startOffset = System.currentTimeMillis() * 1_000_000L - EPOCH * NANOS;

  /** Starts with the wall clock. */
  public MonotonicClock() {}

  @Override
  public int now() {
    return (int) ((startOffset + System.nanoTime() - startNanos) / NANOS);
  }
}
