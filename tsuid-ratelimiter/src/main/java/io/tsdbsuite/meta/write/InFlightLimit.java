package io.tsdbsuite.meta.write;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limit of series with an unanswered write. A failure lowers the limit to one, every success raises
 * it by one, which avoids a thundering herd when HBase recovers. Lock-free; no call blocks.
 */
final class InFlightLimit {
  private final int largest;
  private final AtomicInteger limit;
  private final AtomicInteger used = new AtomicInteger();

  InFlightLimit(int largest) {
    this.largest = largest;
    this.limit = new AtomicInteger(largest);
  }

  /** Acquires a place; returns false if none is free. */
  boolean tryAcquire() {
    for (; ; ) {
      int now = used.get();
      if (now >= limit.get()) {
        return false;
      }
      if (used.compareAndSet(now, now + 1)) {
        return true;
      }
    }
  }

  /** Acquires a place, above the limit if none is free. */
  void acquireAnyway() {
    used.incrementAndGet();
  }

  /** Releases a place; the limit does not change. */
  void release() {
    used.decrementAndGet();
  }

  /** Releases a place after HBase has accepted the write. */
  void succeeded() {
    int now = limit.get();
    if (now < largest) {
      // A success that races with a failure is not counted, which only slows the growth.
      limit.compareAndSet(now, now + 1);
    }
    used.decrementAndGet();
  }

  /** Releases a place after HBase has not accepted the write. */
  void failed() {
    limit.set(1);
    used.decrementAndGet();
  }

  /** Releases a place with the response of HBase. */
  void end(HBaseAnswer answer) {
    switch (answer) {
      case TAKEN:
        succeeded();
        break;
      case REFUSED:
        failed();
        break;
      default:
        release();
        break;
    }
  }

  /** Number of places in use. */
  int used() {
    return used.get();
  }

  /** The current limit. */
  int limit() {
    return limit.get();
  }
}
