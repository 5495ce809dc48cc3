package io.tsdbsuite.format.rollup;

import io.tsdbsuite.format.schema.SchemaException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rollup configuration of a TSD, {@code tsd.rollups.config}: the intervals, and the id under
 * which each aggregator is stored. Immutable. Source: docs/storage.md 6.1.
 */
public final class RollupConfig implements Serializable {
  private static final long serialVersionUID = 1L;

  private final List<RollupInterval> intervals;
  private final Map<String, Integer> aggregatorIds;
  private final SuiteConfig suite;
  private final List<String> warnings;

  RollupConfig(
      List<RollupInterval> intervals,
      Map<String, Integer> aggregatorIds,
      SuiteConfig suite,
      List<String> warnings) {
    this.intervals = Collections.unmodifiableList(new ArrayList<>(intervals));
    this.aggregatorIds = Collections.unmodifiableMap(new LinkedHashMap<>(aggregatorIds));
    this.suite = suite;
    this.warnings = Collections.unmodifiableList(new ArrayList<>(warnings));
  }

  /**
   * Reads the value of {@code tsd.rollups.config}: the path of a file if it ends in {@code .json},
   * else inline JSON.
   *
   * @throws IOException when the file cannot be read
   * @throws SchemaException with all problems, when a TSD would reject the configuration or would
   *     store rollups wrongly with it
   */
  public static RollupConfig load(String pathOrInlineJson) throws IOException {
    if (pathOrInlineJson.endsWith(".json")) {
      byte[] json = Files.readAllBytes(Paths.get(pathOrInlineJson));
      return RollupConfigReader.read(pathOrInlineJson, new String(json, StandardCharsets.UTF_8));
    }
    return parse(pathOrInlineJson);
  }

  /**
   * Parses inline JSON.
   *
   * @throws SchemaException as {@link #load}
   */
  public static RollupConfig parse(String json) {
    return RollupConfigReader.read("rollup configuration", json);
  }

  /** The intervals in the order of the configuration; unmodifiable. */
  public List<RollupInterval> intervals() {
    return intervals;
  }

  /**
   * The interval with exactly this text, null if none matches: {@code 60m} does not match {@code
   * 1h}.
   */
  public @Nullable RollupInterval interval(String interval) {
    for (RollupInterval each : intervals) {
      if (each.interval().equals(interval)) {
        return each;
      }
    }
    return null;
  }

  /** The interval that stands for the raw table. */
  public RollupInterval defaultInterval() {
    for (RollupInterval each : intervals) {
      if (each.defaultInterval()) {
        return each;
      }
    }
    throw new IllegalStateException("no default interval");
  }

  /** The id, 0..127, of an aggregator, ignoring case; null if it has none. */
  public @Nullable Integer aggregatorId(String aggregator) {
    return aggregatorIds.get(aggregator.toLowerCase(Locale.ROOT));
  }

  /** The id of each aggregator, whose name is in lower case; unmodifiable. */
  public Map<String, Integer> aggregatorIds() {
    return aggregatorIds;
  }

  /** The object {@code suite}: what rollups have beside sum, min, max and count, packed tables. */
  public SuiteConfig suite() {
    return suite;
  }

  /**
   * The level with exactly this text: an interval, one with an aggregator of p50 p75 p90 p95 p99
   * p999 first last that has an id, or with {@code histogram} or {@code packed} if it has such a
   * table, whatever metrics {@link #suite} selects; null of any other text.
   */
  public @Nullable Level level(String text) {
    int dot = text.indexOf('.');
    RollupInterval interval = interval(dot < 0 ? text : text.substring(0, dot));
    if (interval == null) {
      return null;
    }
    String name = dot < 0 ? "" : text.substring(dot + 1);
    String table = interval.table();
    if (name.equals(Level.HISTOGRAM)) {
      table = suite.histogramTable(interval.interval());
    } else if (name.equals(Level.PACKED)) {
      table = suite.packedTable(interval.interval());
    } else if (dot >= 0 && !(SuiteConfig.NAMES.contains(name) && aggregatorIds.containsKey(name))) {
      table = null;
    }
    return table == null ? null : new Level(interval, name, table);
  }

  /**
   * All that {@link #level} knows of intervals with rollup tables, in the order of the
   * configuration, the four values of an interval first.
   */
  public List<Level> levels() {
    List<Level> levels = new ArrayList<>();
    for (RollupInterval interval : intervals) {
      if (!interval.defaultInterval()) {
        levels.add(new Level(interval, "", interval.table()));
        for (String name : SuiteConfig.NAMES) {
          add(level(Level.text(interval.interval(), name)), levels);
        }
        add(level(Level.text(interval.interval(), Level.HISTOGRAM)), levels);
        add(level(Level.text(interval.interval(), Level.PACKED)), levels);
      }
    }
    return levels;
  }

  private static void add(@Nullable Level level, List<Level> levels) {
    if (level != null) {
      levels.add(level);
    }
  }

  /** Settings that are legal but known to cause failures, one sentence each; unmodifiable. */
  public List<String> warnings() {
    return warnings;
  }
}
