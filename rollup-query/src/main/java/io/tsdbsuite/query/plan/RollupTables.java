package io.tsdbsuite.query.plan;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
   * The interval of a level, such as {@code 1h} or {@code 1h.p99}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public RollupInterval interval(String name) {
    Level level = config.level(name);
    if (level == null) {
      throw new IllegalArgumentException("no level " + name);
    }
    return level.interval();
  }

  /** The table of each level of {@link #intervals} that the functions read. */
  public Map<String, String> byLevel() {
    Map<String, String> tables = new HashMap<>();
    for (RollupInterval interval : intervals) {
      for (RollupFunction function : RollupFunction.values()) {
        Level level = config.level(Level.text(interval.interval(), function.level()));
        if (level != null) {
          tables.put(level.text(), level.table());
        }
      }
    }
    return tables;
  }

  /**
   * The function that OpenTSDB calls by this name; null if these rollups cannot answer it exactly.
   * Further values than sum, min, max and count are those of the object {@code suite} of
   * rollup_config.json.
   */
  @Nullable RollupFunction function(String name) {
    RollupFunction function = RollupFunction.of(name);
    boolean isFurther = function != null && !function.level().isEmpty();
    return isFurther && config.suite().isEmpty() ? null : function;
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
