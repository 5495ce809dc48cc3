package io.tsdbsuite.stream.it;

import java.io.Serial;
import java.io.Serializable;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands until a test moves it; all copies in a JVM show the same time. */
final class SettableClock extends Clock implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private static final AtomicLong NOW = new AtomicLong();

  /** Moves the clock, seconds since the epoch. */
  void set(long seconds) {
    NOW.set(seconds * 1000);
  }

  @Override
  public long millis() {
    return NOW.get();
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("only UTC");
  }
}
