package io.tsdbsuite.ingest.mask;

import java.util.concurrent.atomic.LongAdder;

/** Counters of the masks that a TSD writes. Thread-safe. */
public final class MaskStats {
  private final LongAdder cells = new LongAdder();
  private final LongAdder coarse = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder expired = new LongAdder();
  private final LongAdder unread = new LongAdder();

  void written(int number, boolean isCoarse) {
    cells.add(number);
    if (isCoarse) {
      coarse.increment();
    }
  }

  void skip() {
    skipped.increment();
  }

  void failure() {
    failures.increment();
  }

  void expire() {
    expired.increment();
  }

  void unread() {
    unread.increment();
  }

  /** Cells that HBase has acknowledged. */
  public long cells() {
    return cells.sum();
  }

  /** Writes that masked more than what was late, because of a bound. */
  public long coarse() {
    return coarse.sum();
  }

  /** Writes that were left out, because the coverage table does not exist. */
  public long skipped() {
    return skipped.sum();
  }

  /** Late points without a mask, because raw points of their day may have expired. */
  public long expired() {
    return expired.sum();
  }

  /** Repairs whose masks stay, because they could not be read. */
  public long unreadRepairs() {
    return unread.sum();
  }

  /** Writes that HBase did not take; they are tried again. */
  public long failures() {
    return failures.sum();
  }
}
