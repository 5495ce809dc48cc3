package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.uid.UidNames;

/**
 * Applies the metric filter and the floors to metric UIDs. Rows arrive sorted by metric, so only
 * the last answer is cached. For one thread.
 */
public final class MetricSelector {
  private final MetricPatterns patterns;
  private final RawFloors floors;
  private final UidNames names;
  private final ByteSlice name = new ByteSlice();
  private boolean decided;
  private long lastUid;
  private boolean lastExcluded;
  private long lastFloor;

  /** A filter of metrics without floors. */
  public MetricSelector(MetricPatterns patterns, UidNames names) {
    this(patterns, RawFloors.UNKNOWN, names);
  }

  public MetricSelector(MetricPatterns patterns, RawFloors floors, UidNames names) {
    this.patterns = patterns;
    this.floors = floors;
    this.names = names;
  }

  /**
   * Whether the filter excludes the metric. A metric without a name is kept, because it must be
   * reported.
   */
  public boolean excludes(long metricUid) {
    if (patterns.isAll()) {
      return false;
    }
    decide(metricUid);
    return lastExcluded;
  }

  /**
   * The floor of the metric: its rows that begin before it may be gone.
   *
   * @return seconds since the epoch; of a metric without a name the highest of all
   */
  public long floor(long metricUid) {
    if (floors.isEmpty()) {
      return 0;
    }
    decide(metricUid);
    return lastFloor;
  }

  private void decide(long metricUid) {
    if (decided && metricUid == lastUid) {
      return;
    }
    String text =
        names.lookup(UidKind.METRIC, metricUid, name)
            ? name.toString()
            : names.foreignName(UidKind.METRIC, metricUid);
    lastExcluded = text != null && !patterns.wants(text);
    lastFloor = text == null ? floors.highest() : floors.of(text);
    lastUid = metricUid;
    decided = true;
  }
}
