package io.tsdbsuite.ingest.mask;

import java.util.concurrent.atomic.LongAdder;

/** Counters of the masks that a TSD writes. Thread-safe. */
public final class MaskStats {
  private final LongAdder cells = new LongAdder();
  private final LongAdder coarse = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final LongAdder failures = new LongAdder();

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

  /** Writes that HBase did not take; they are tried again. */
  public long failures() {
    return failures.sum();
  }
}
