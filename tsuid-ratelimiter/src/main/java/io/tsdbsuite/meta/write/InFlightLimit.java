package io.tsdbsuite.meta.write;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Series that may be on their way to HBase at the same time. A failure lowers the limit to one
 * series, every success raises it by one, so an HBase that comes back is not met by all that has
 * waited. Lock-free; nobody waits here.
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

  /** Takes a place whether there is one or not. */
  void acquireAnyway() {
    used.incrementAndGet();
  }

  /** Gives a place back; it tells nothing of HBase. */
  void release() {
    used.decrementAndGet();
  }

  /** Gives a place back: HBase took what was sent. */
  void succeeded() {
    int now = limit.get();
    if (now < largest) {
      // A success that meets a failure here is not counted, which only makes the growth slower.
      limit.compareAndSet(now, now + 1);
    }
    used.decrementAndGet();
  }

  /** Gives a place back: HBase did not take what was sent. */
  void failed() {
    limit.set(1);
    used.decrementAndGet();
  }

  /** Gives a place back, with what an answer told. */
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

  /** Places that are taken. */
  int used() {
    return used.get();
  }

  /** Places that there are now. */
  int limit() {
    return limit.get();
  }
}
