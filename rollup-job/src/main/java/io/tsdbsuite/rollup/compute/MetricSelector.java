package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.coverage.MetricPatterns;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.uid.UidNames;

/**
 * Applies the metric filter to metric UIDs. Rows arrive sorted by metric, so only the last answer
 * is cached. For one thread.
 */
public final class MetricSelector {
  private final MetricPatterns patterns;
  private final UidNames names;
  private final ByteSlice name = new ByteSlice();
  private boolean decided;
  private long lastUid;
  private boolean lastExcluded;

  public MetricSelector(MetricPatterns patterns, UidNames names) {
    this.patterns = patterns;
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
    if (!decided || metricUid != lastUid) {
      String text =
          names.lookup(UidKind.METRIC, metricUid, name)
              ? name.toString()
              : names.foreignName(UidKind.METRIC, metricUid);
      lastExcluded = text != null && !patterns.wants(text);
      lastUid = metricUid;
      decided = true;
    }
    return lastExcluded;
  }
}
