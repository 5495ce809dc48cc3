package io.tsdbsuite.query.plan;

import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.rollup.Selection;
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
  private static final long HOUR = 3_600_000;

  private final RollupConfig config;
  private final boolean histograms;
  private final boolean packed;
  private final List<RollupInterval> intervals;

  /** The tables of this configuration, without that of the default interval. */
  public RollupTables(RollupConfig config) {
    this(config, true, true);
  }

  /**
   * The same tables.
   *
   * @param histograms whether histograms are read, if the configuration selects any
   * @param packed whether packed tables are read, if it names any
   */
  public RollupTables(RollupConfig config, boolean histograms, boolean packed) {
    this.config = config;
    this.packed = packed;
    this.histograms = histograms && config.suite().hasHistograms();
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

  /** Whether the histograms of any metric are read. */
  public boolean hasHistograms() {
    return histograms;
  }

  /**
   * The width of the narrowest histograms of a metric, milliseconds, at most an hour: in each such
   * interval a series has histogram cells, of which rollups have the sum, or points.
   *
   * @return 0 if its histograms are not read
   */
  public long narrowestHistogram(String metric) {
    long narrowest = 0;
    if (histograms && !metric.isEmpty()) {
      Selection selection = config.suite().selection(metric);
      for (RollupInterval interval : intervals) {
        if (selection.histogram(interval.interval())) {
          long width = Math.min(HOUR, interval.seconds() * 1000);
          narrowest = narrowest == 0 ? width : Math.min(narrowest, width);
        }
      }
    }
    return narrowest;
  }

  /**
   * The table of a level, such as {@code 1h} or {@code 1h.histogram}; null if there is no such
   * level.
   */
  public @Nullable String table(String name) {
    Level level = config.level(name);
    return level == null ? null : level.table();
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

  /** The level of the packed rollups of an interval; null if they are not read. */
  public @Nullable String packed(RollupInterval interval) {
    String level = Level.text(interval.interval(), Level.PACKED);
    return packed && config.level(level) != null ? level : null;
  }

  /**
   * The level of packed rollups that have the values of a function; null if they are not read. What
   * {@code suite} does not select for the interval is not packed, and may still be proven.
   */
  @Nullable String packed(RollupInterval interval, RollupFunction function) {
    boolean has =
        function.level().isEmpty()
            || config.suite().aggregators(interval.interval()).contains(function.level());
    return has ? packed(interval) : null;
  }

  /** The table of each level of {@link #intervals} that is read. */
  public Map<String, String> byLevel() {
    Map<String, String> tables = new HashMap<>();
    for (RollupInterval interval : intervals) {
      for (RollupFunction function : RollupFunction.values()) {
        Level level = config.level(Level.text(interval.interval(), function.level()));
        if (level != null) {
          tables.put(level.text(), level.table());
        }
      }
      String copy = packed(interval);
      String table = copy == null ? null : table(copy);
      if (copy != null && table != null) {
        tables.put(copy, table);
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
    if (function.isHistogram()) {
      return histograms;
    }
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
