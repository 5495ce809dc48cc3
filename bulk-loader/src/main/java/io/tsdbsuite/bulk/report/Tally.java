package io.tsdbsuite.bulk.report;

import java.io.Serializable;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The counts of one thread, task or run; not safe to share. Hot loops count in fields of their own
 * and add here now and then.
 */
public final class Tally implements Serializable {
  private static final long serialVersionUID = 3L;

  private final EnumMap<Count, Long> counts = new EnumMap<>(Count.class);
  private final EnumMap<RejectReason, Long> rejects = new EnumMap<>(RejectReason.class);
  private final EnumMap<SkipKind, Long> skips = new EnumMap<>(SkipKind.class);

  /** Accepted points by day since the epoch, UTC; at most 49,711 days have seconds below 2^32. */
  private final TreeMap<Integer, Long> days = new TreeMap<>();

  /** Adds to a count. */
  public void add(Count count, long howMany) {
    counts.merge(count, howMany, Long::sum);
  }

  /** Adds rejected points. */
  public void reject(RejectReason reason, long points) {
    rejects.merge(reason, points, Long::sum);
  }

  /** Adds points that were left out by {@code --skip}. */
  public void skip(SkipKind kind, long points) {
    skips.merge(kind, points, Long::sum);
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
    for (Map.Entry<Count, Long> entry : other.counts.entrySet()) {
      add(entry.getKey(), entry.getValue());
    }
    for (Map.Entry<RejectReason, Long> entry : other.rejects.entrySet()) {
      reject(entry.getKey(), entry.getValue());
    }
    for (Map.Entry<SkipKind, Long> entry : other.skips.entrySet()) {
      skip(entry.getKey(), entry.getValue());
    }
    other.days.forEach(this::accept);
  }

  /** Subtracts another one, which was added before. */
  public void subtract(Tally other) {
    other.counts.forEach((count, n) -> add(count, -n));
    other.rejects.forEach((reason, n) -> reject(reason, -n));
    other.skips.forEach((kind, n) -> skip(kind, -n));
    other.days.forEach((day, n) -> accept(day, -n));
  }

  /** Returns a copy and resets this one to 0. */
  public Tally drain() {
    Tally drained = new Tally();
    drained.add(this);
    counts.clear();
    rejects.clear();
    skips.clear();
    days.clear();
    return drained;
  }

  /** A count. */
  public long get(Count count) {
    return counts.getOrDefault(count, 0L);
  }

  /** Rejected points. */
  public long rejected(RejectReason reason) {
    return rejects.getOrDefault(reason, 0L);
  }

  /** Rejected points of all reasons. */
  public long rejected() {
    long sum = 0;
    for (long reject : rejects.values()) {
      sum += reject;
    }
    return sum;
  }

  /** Points that were left out by {@code --skip}. */
  public long skipped(SkipKind kind) {
    return skips.getOrDefault(kind, 0L);
  }

  /** Points of all kinds that were left out. */
  public long skipped() {
    long sum = 0;
    for (long skip : skips.values()) {
      sum += skip;
    }
    return sum;
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
