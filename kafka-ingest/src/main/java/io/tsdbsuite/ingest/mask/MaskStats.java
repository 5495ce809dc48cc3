package io.tsdbsuite.ingest.mask;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the masks that a TSD writes. Thread-safe. */
public final class MaskStats {
  /** What is counted; in statistics {@code masks.} and the name in lower case. */
  public enum Count {
    /** Cells that HBase has acknowledged. */
    WRITTEN,
    /** Writes that masked more than what was late, because of a bound. */
    COARSE,
    /** Writes that were left out, because the coverage table does not exist. */
    SKIPPED,
    /** Late points without a mask, because raw points of their day may have expired. */
    EXPIRED,
    /** Late points before the raw floor of their metric: no rollup shows them. */
    BELOW_FLOOR,
    /** Repairs whose masks stay, because they could not be read. */
    UNREAD,
    /** Writes that HBase did not take; they are tried again. */
    FAILURES
  }

  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);

  MaskStats() {
    for (Count count : Count.values()) {
      counts.put(count, new LongAdder());
    }
  }

  void add(Count count, long number) {
    Objects.requireNonNull(counts.get(count)).add(number);
  }

  /** The number so far. */
  public long get(Count count) {
    return Objects.requireNonNull(counts.get(count)).sum();
  }
}
