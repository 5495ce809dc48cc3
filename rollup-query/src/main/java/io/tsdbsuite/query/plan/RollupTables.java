package io.tsdbsuite.query.plan;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The rollup tables of a TSD that can be read by whole intervals since the epoch: those whose
 * interval divides the day. Immutable.
 */
public final class RollupTables {
  private static final long DAY = 86400;

  private final RollupConfig config;
  private final List<RollupInterval> intervals;

  /** The tables of this configuration, without that of the default interval. */
  public RollupTables(RollupConfig config) {
    this.config = config;
    List<RollupInterval> usable = new ArrayList<>();
    for (RollupInterval interval : config.intervals()) {
      if (!interval.defaultInterval() && DAY % interval.seconds() == 0) {
        usable.add(interval);
      }
    }
    this.intervals = Collections.unmodifiableList(usable);
  }

  /** The intervals with such a table; unmodifiable. */
  public List<RollupInterval> intervals() {
    return intervals;
  }

  /**
   * The interval of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public RollupInterval interval(String name) {
    RollupInterval interval = config.interval(name);
    if (interval == null) {
      throw new IllegalArgumentException("no interval " + name);
    }
    return interval;
  }

  /** Whether all aggregators of the function have an id. */
  public boolean store(RollupFunction function) {
    for (String aggregator : function.aggregators()) {
      if (config.aggregatorId(aggregator) == null) {
        return false;
      }
    }
    return true;
  }

  /**
   * The id of an aggregator.
   *
   * @throws IllegalArgumentException if it has none
   */
  public int id(String aggregator) {
    Integer id = config.aggregatorId(aggregator);
    if (id == null) {
      throw new IllegalArgumentException("no id for aggregator " + aggregator);
    }
    return id;
  }
}
