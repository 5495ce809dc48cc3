package io.tsdbsuite.bulk.report;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The counts of one thread, task or run; not safe to share. Hot loops count in fields of their own
 * and add here now and then.
 */
public final class Tally implements Serializable {
  private static final long serialVersionUID = 4L;

  /** By {@link Count}, {@link RejectReason} or {@link SkipKind}. */
  private final HashMap<Keyed, Long> counts = new HashMap<>();

  /** Accepted points by day since the epoch, UTC; at most 49,711 days have seconds below 2^32. */
  private final TreeMap<Integer, Long> days = new TreeMap<>();

  /** Adds to a count. */
  public void add(Count count, long howMany) {
    counts.merge(count, howMany, Long::sum);
  }

  /** Adds rejected points. */
  public void reject(RejectReason reason, long points) {
    counts.merge(reason, points, Long::sum);
  }

  /** Adds points that were left out by {@code --skip}. */
  public void skip(SkipKind kind, long points) {
    counts.merge(kind, points, Long::sum);
  }

  /**
   * Adds accepted points: neither skipped nor rejected, duplicates included.
   *
   * @param day days since the epoch, UTC
   */
  public void accept(int day, long points) {
    long sum = days.getOrDefault(day, 0L) + points;
    if (sum == 0) {
      days.remove(day);
    } else {
      days.put(day, sum);
    }
  }

  /** Adds all of another one. */
  public void add(Tally other) {
    other.counts.forEach((key, n) -> counts.merge(key, n, Long::sum));
    other.days.forEach(this::accept);
  }

  /** Subtracts another one, which was added before. */
  public void subtract(Tally other) {
    other.counts.forEach((key, n) -> counts.merge(key, -n, Long::sum));
    other.days.forEach((day, n) -> accept(day, -n));
  }

  /** Returns a copy and resets this one to 0. */
  public Tally drain() {
    Tally drained = new Tally();
    drained.add(this);
    counts.clear();
    days.clear();
    return drained;
  }

  /** A count. */
  public long get(Count count) {
    return counts.getOrDefault(count, 0L);
  }

  /** Rejected points. */
  public long rejected(RejectReason reason) {
    return counts.getOrDefault(reason, 0L);
  }

  /** Rejected points of all reasons. */
  public long rejected() {
    return Arrays.stream(RejectReason.values()).mapToLong(this::rejected).sum();
  }

  /** Points that were left out by {@code --skip}. */
  public long skipped(SkipKind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** Points of all kinds that were left out. */
  public long skipped() {
    return Arrays.stream(SkipKind.values()).mapToLong(this::skipped).sum();
  }

  /** Accepted points of sorted input by day since the epoch, UTC. */
  public SortedMap<Integer, Long> days() {
    return Collections.unmodifiableSortedMap(days);
  }

  /** Points read that were neither skipped nor rejected. */
  public long accepted() {
    return get(Count.POINTS_READ) - skipped() - rejected();
  }

  /** Points read minus all accounted points; 0 when the books close. */
  public long missing() {
    return accepted() - Count.BOOKS.stream().mapToLong(this::get).sum();
  }
}
