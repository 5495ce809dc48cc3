package io.tsdbsuite.bulk.report;

import java.io.Serializable;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;

/**
 * Accepted points of the largest metrics, and of all others together. It holds at most {@value
 * #MOST} metrics, whatever their number; so the counts of metrics that come again and again, as
 * they do from units of Spark, can be too low. Not thread-safe.
 */
public final class PointsByMetric implements Serializable {
  /** Metrics that are held at most. */
  public static final int MOST = 2000;

  private static final int KEPT = 1000;
  private static final long serialVersionUID = 1L;

  private final HashMap<String, Long> points = new HashMap<>();
  private long others;
  private long metrics;
  private boolean dropped;
  private boolean sums;

  /**
   * A metric and its points.
   *
   * @param points accepted points
   */
  public record Entry(String metric, long points) {}

  /** Adds all points of a metric, which must not come again. */
  public void add(String metric, long howMany) {
    metrics++;
    put(metric, howMany);
  }

  /** Adds another one, which may have the same metrics. */
  public void add(PointsByMetric other) {
    other.points.forEach(this::put);
    others += other.others;
    dropped |= other.dropped;
    sums = true;
  }

  private void put(String metric, long howMany) {
    points.merge(metric, howMany, Long::sum);
    if (points.size() > MOST) {
      List<Entry> all = sorted();
      for (Entry entry : all.subList(KEPT, all.size())) {
        points.remove(entry.metric());
        others += entry.points();
      }
      dropped = true;
    }
  }

  private List<Entry> sorted() {
    return points.entrySet().stream()
        .map(entry -> new Entry(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(Entry::points).reversed().thenComparing(Entry::metric))
        .toList();
  }

  /** The metrics with the most points, these first. */
  public List<Entry> largest(int howMany) {
    List<Entry> all = sorted();
    return all.subList(0, Math.min(howMany, all.size()));
  }

  /** Points of all metrics. */
  public long total() {
    return others + points.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether the counts of the largest metrics are exact. If not, they may be too low. */
  public boolean isExact() {
    return !(sums && dropped);
  }

  /** Number of metrics; -1 if it is not known because counts are not exact. */
  public long metrics() {
    if (!sums) {
      return metrics;
    }
    return dropped ? -1 : points.size();
  }

  /** Adds the sums of one metric after the other. */
  public static final class Sorted {
    private final PointsByMetric sums = new PointsByMetric();
    private String metric = "";
    private long points;

    /**
     * Adds points of a series; all series of a metric come one after the other.
     *
     * @param names metric and tags, a blank between them
     */
    public void add(String names, long howMany) {
      boolean same = names.startsWith(metric) && names.startsWith(" ", metric.length());
      if (!same || metric.isEmpty()) {
        PointsByMetric unused = end();
        int blank = names.indexOf(' ');
        metric = blank < 0 ? names : names.substring(0, blank);
      }
      points += howMany;
    }

    /** The sums of all series so far; the next series must be of another metric. */
    public PointsByMetric end() {
      if (points > 0) {
        sums.add(metric, points);
      }
      points = 0;
      return sums;
    }
  }
}
