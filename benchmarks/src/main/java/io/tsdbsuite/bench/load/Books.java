package io.tsdbsuite.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts of points by result. Thread-safe. */
public final class Books {
  private static final int MAX_REASONS = 5;

  /**
   * The state of the books.
   *
   * @param sent points written to a connection
   * @param accepted points that the TSD accepted
   * @param failed points that the TSD refused or did not answer
   */
  public record Totals(long sent, long accepted, long failed) {
    /** Whether each sent point is accepted or failed. */
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

  /** A negative number takes back points that were refused after they counted as accepted. */
  void accepted(long points) {
    accepted.add(points);
  }

  void failed(long points) {
    failed.add(points);
  }

  /** Adds failed points; keeps only the first few distinct reasons. */
  synchronized void reason(String reason) {
    if (reasons.size() < MAX_REASONS && !reasons.contains(reason)) {
      reasons.add(reason);
    }
  }

  /** The first few distinct reasons of failures. */
  public synchronized List<String> reasons() {
    return List.copyOf(reasons);
  }

  /** A snapshot of the counts; complete only after the end of the generator. */
  public Totals totals() {
    return new Totals(sent.sum(), accepted.sum(), failed.sum());
  }
}
