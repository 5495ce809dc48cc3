package io.tsdbsuite.format.rollup;

import io.tsdbsuite.format.schema.SchemaException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The rollup configuration of a TSD, {@code tsd.rollups.config}: which intervals exist and by which
 * number each aggregator is stored. Immutable. Source: docs/storage.md 6.1.
 */
public final class RollupConfig {
  private final List<RollupInterval> intervals;
  private final Map<String, Integer> aggregatorIds;
  private final List<String> warnings;

  RollupConfig(
      List<RollupInterval> intervals, Map<String, Integer> aggregatorIds, List<String> warnings) {
    this.intervals = Collections.unmodifiableList(new ArrayList<>(intervals));
    this.aggregatorIds = Collections.unmodifiableMap(new LinkedHashMap<>(aggregatorIds));
    this.warnings = Collections.unmodifiableList(new ArrayList<>(warnings));
  }

  /**
   * Reads what {@code tsd.rollups.config} holds: the path of a file if it ends in {@code .json},
   * else the JSON itself.
   *
   * @throws IOException when the file cannot be read
   * @throws SchemaException with all problems, when a TSD would refuse the configuration or store
   *     rollups wrongly with it
   */
  public static RollupConfig load(String pathOrInlineJson) throws IOException {
    if (pathOrInlineJson.endsWith(".json")) {
      byte[] json = Files.readAllBytes(Paths.get(pathOrInlineJson));
      return RollupConfigReader.read(pathOrInlineJson, new String(json, StandardCharsets.UTF_8));
    }
    return parse(pathOrInlineJson);
  }

  /**
   * Reads JSON.
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

  /** The interval written exactly so, null if there is none: {@code 60m} is not {@code 1h}. */
  public RollupInterval interval(String interval) {
    for (RollupInterval each : intervals) {
      if (each.interval().equals(interval)) {
        return each;
      }
    }
    return null;
  }

  /** The one interval that stands for the raw table. */
  public RollupInterval defaultInterval() {
    for (RollupInterval each : intervals) {
      if (each.defaultInterval()) {
        return each;
      }
    }
    throw new IllegalStateException("no default interval");
  }

  /** The number, 0..127, of an aggregator in any case, null if it has none. */
  public Integer aggregatorId(String aggregator) {
    return aggregatorIds.get(aggregator.toLowerCase(Locale.ROOT));
  }

  /** All aggregators, in lower case, with their numbers; unmodifiable. */
  public Map<String, Integer> aggregatorIds() {
    return aggregatorIds;
  }

  /** What is allowed but known to hurt, one sentence each; unmodifiable. */
  public List<String> warnings() {
    return warnings;
  }
}
