package io.tsdbsuite.query.estimate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Estimates by selection (metric and filters), each for a limited time. At most some thousand are
 * kept, those that were asked for last. Thread-safe.
 */
public final class SeriesEstimates {
  private static final int MAX = 10_000;
  private final LongSupplier clock;
  private final long maxAge;
  private final Map<String, Kept> entries =
      new LinkedHashMap<String, Kept>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
          return size() > MAX;
        }
      };

  /** An estimate and when it was made. */
  private static final class Kept {
    private final SeriesEstimate estimate;
    private final long time;

    Kept(SeriesEstimate estimate, long time) {
      this.estimate = estimate;
      this.time = time;
    }
  }

  /**
   * @param clock milliseconds that never go back
   * @param maxAge how long an estimate is kept, milliseconds
   */
  public SeriesEstimates(LongSupplier clock, long maxAge) {
    this.clock = clock;
    this.maxAge = maxAge;
  }

  /** The estimate of a selection; null if there is none that is new enough. */
  public synchronized @Nullable SeriesEstimate of(String selection) {
    Kept entry = entries.get(selection);
    return entry == null || clock.getAsLong() - entry.time > maxAge ? null : entry.estimate;
  }

  /** Keeps an estimate that was made now. */
  public synchronized void put(String selection, SeriesEstimate estimate) {
    entries.put(selection, new Kept(estimate, clock.getAsLong()));
  }
}
