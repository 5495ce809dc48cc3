package io.tsdbsuite.rollup.compute;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.uid.UidNames;
import org.jspecify.annotations.Nullable;

/**
 * Applies the metric filter, the floors and the selection of further aggregators to metric UIDs.
 * Rows arrive sorted by metric, so only the last answer is cached. For one thread.
 */
public final class MetricSelector {
  private final MetricPatterns patterns;
  private final RawFloors floors;
  private final SuiteConfig suite;
  private final UidNames names;
  private final ByteSlice name = new ByteSlice();
  private boolean decided;
  private long lastUid;
  private boolean lastExcluded;
  private long lastFloor;
  private Selection lastSelection = Selection.NONE;
  private @Nullable String lastName;

  /** A filter of metrics without floors. */
  public MetricSelector(MetricPatterns patterns, UidNames names) {
    this(patterns, RawFloors.UNKNOWN, names);
  }

  /** Selects further aggregators, and filters nothing. */
  MetricSelector(SuiteConfig suite, UidNames names) {
    this(MetricPatterns.all(), RawFloors.UNKNOWN, suite, names);
  }

  public MetricSelector(MetricPatterns patterns, RawFloors floors, UidNames names) {
    this(patterns, floors, SuiteConfig.NONE, names);
  }

  private MetricSelector(
      MetricPatterns patterns, RawFloors floors, SuiteConfig suite, UidNames names) {
    this.patterns = patterns;
    this.floors = floors;
    this.suite = suite;
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

  /** What its rollups have beside sum, min, max and count; nothing of a metric without a name. */
  Selection selection(long metricUid) {
    if (suite.isEmpty()) {
      return Selection.NONE;
    }
    decide(metricUid);
    return lastSelection;
  }

  /** The metric's name; null if it has none. */
  @Nullable String name(long metricUid) {
    decide(metricUid);
    return lastName;
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
    lastSelection = text == null ? Selection.NONE : suite.selection(text);
    lastName = text;
    lastUid = metricUid;
    decided = true;
  }
}
