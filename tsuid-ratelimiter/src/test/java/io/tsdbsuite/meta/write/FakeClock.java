package io.tsdbsuite.meta.write;

import java.util.concurrent.atomic.AtomicInteger;

/** A clock that tests set. */
final class FakeClock implements Clock {
  /** A full hour. */
  static final int START = 200_000 * 3600;

  private final AtomicInteger now = new AtomicInteger(START);

  @Override
  public int now() {
    return now.get();
  }

  void advance(int seconds) {
    now.addAndGet(seconds);
  }
}
