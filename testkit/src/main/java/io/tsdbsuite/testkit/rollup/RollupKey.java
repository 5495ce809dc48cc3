package io.tsdbsuite.testkit.rollup;

import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A series and one interval.
 *
 * @param metric the metric
 * @param tags tag keys and values
 * @param timestamp start of the interval, seconds since the epoch, UTC
 */
public record RollupKey(String metric, SortedMap<String, String> tags, long timestamp)
    implements Comparable<RollupKey> {
  private static final Comparator<RollupKey> ORDER =
      Comparator.comparing(RollupKey::metric)
          .thenComparing(key -> key.tags.toString())
          .thenComparingLong(RollupKey::timestamp);

  /** Copies the tags. */
  public RollupKey {
    tags = new TreeMap<>(tags);
  }

  @Override
  public int compareTo(RollupKey other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return metric + tags + " at " + timestamp;
  }
}
