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

  /** Takes a place; false if there is none. */
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

  /** Takes a place, over the limit if need be. */
  void acquireAnyway() {
    used.incrementAndGet();
  }

  /** Returns a place without a verdict on HBase. */
  void release() {
    used.decrementAndGet();
  }

  /** Returns a place: HBase took the write. */
  void succeeded() {
    int now = limit.get();
    if (now < largest) {
      // A success that races with a failure is not counted, which only slows the growth.
      limit.compareAndSet(now, now + 1);
    }
    used.decrementAndGet();
  }

  /** Returns a place: HBase did not take the write. */
  void failed() {
    limit.set(1);
    used.decrementAndGet();
  }

  /** Returns a place, with the answer of HBase. */
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

  /** Places in use. */
  int used() {
    return used.get();
  }

  /** The current limit. */
  int limit() {
    return limit.get();
  }
}
