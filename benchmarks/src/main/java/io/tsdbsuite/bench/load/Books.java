package io.tsdbsuite.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** What became of the points. All methods may be called from any thread. */
public final class Books {
  private static final int MAX_REASONS = 5;

  /**
   * The state of the books.
   *
   * @param sent points written to a connection
   * @param accepted points that the TSD took
   * @param failed points that it refused, or never answered for
   */
  public record Totals(long sent, long accepted, long failed) {
    /** Whether it is known of every point what became of it. */
    public boolean closed() {
      return sent == accepted + failed;
    }
  }

  private final LongAdder sent = new LongAdder();
  private final LongAdder accepted = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final List<String> reasons = new ArrayList<>();

  void sent(long points) {
    sent.add(points);
  }

  /** Takes a negative number when points are refused that passed for accepted. */
  void accepted(long points) {
    accepted.add(points);
  }

  void failed(long points) {
    failed.add(points);
  }

  /** Keeps the first few reasons. */
  synchronized void reason(String reason) {
    if (reasons.size() < MAX_REASONS && !reasons.contains(reason)) {
      reasons.add(reason);
    }
  }

  /** Why points failed: the first few reasons, each once. */
  public synchronized List<String> reasons() {
    return List.copyOf(reasons);
  }

  /** The present state; it closes when the generator is done. */
  public Totals totals() {
    return new Totals(sent.sum(), accepted.sum(), failed.sum());
  }
}
