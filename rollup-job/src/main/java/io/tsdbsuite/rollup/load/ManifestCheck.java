package io.tsdbsuite.rollup.load;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.hfile.Manifest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whether a TSD of some configuration would read the files of a run as they were meant. */
final class ManifestCheck {
  private ManifestCheck() {}

  /** What differs, one sentence each; empty if nothing does. */
  static List<String> problems(Manifest manifest, StorageSchema schema, RollupConfig rollups) {
    List<String> problems = new ArrayList<>();
    keys(schema)
        .forEach(
            (key, value) -> {
              String found = manifest.options().get("--" + key);
              if (!value.equals(found)) {
                problems.add(key + " must be as it was in the run, " + found + ", found " + value);
              }
            });
    for (Manifest.Table table : manifest.tables()) {
      problems(table, rollups, problems);
    }
    return problems;
  }

  /** What row keys are made by. */
  private static Map<String, String> keys(StorageSchema schema) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("tsd.storage.uid.width.metric", Integer.toString(schema.metricWidth()));
    keys.put("tsd.storage.uid.width.tagk", Integer.toString(schema.tagkWidth()));
    keys.put("tsd.storage.uid.width.tagv", Integer.toString(schema.tagvWidth()));
    keys.put("tsd.storage.salt.width", Integer.toString(schema.saltWidth()));
    keys.put("tsd.storage.salt.buckets", Integer.toString(schema.saltBuckets()));
    return keys;
  }

  private static void problems(Manifest.Table table, RollupConfig rollups, List<String> problems) {
    RollupInterval interval = rollups.interval(table.interval());
    if (interval == null) {
      problems.add(
          "the rollup configuration must have the interval " + table.interval() + " of the run");
      return;
    }
    String where = "rollup configuration, interval " + table.interval() + ": ";
    if (!interval.table().equals(table.name())) {
      problems.add(where + "table must be " + table.name() + ", found " + interval.table());
    }
    if (!interval.rowSpan().equals(table.rowSpan())) {
      problems.add(where + "rowSpan must be " + table.rowSpan() + ", found " + interval.rowSpan());
    }
    table
        .aggregatorIds()
        .forEach(
            (aggregator, id) -> {
              Integer found = rollups.aggregatorId(aggregator);
              if (!id.equals(found)) {
                problems.add(
                    "rollup configuration: aggregationIds must have "
                        + aggregator
                        + " as "
                        + id
                        + ", found "
                        + (found == null ? "nothing" : found.toString()));
              }
            });
  }
}
