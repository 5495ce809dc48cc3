package io.tsdbsuite.rollup.tiers.proof;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.TiersOptions;
import io.tsdbsuite.rollup.verify.Aggregators;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What all proofs of a table have in common.
 *
 * @param table {@link Policy#RAW}, or the interval of a rollup table
 * @param suite {@code suite} of rollup_config.json; empty without
 * @param snapshot of it
 * @param data the same
 * @param rollups the intervals that are compared, the narrowest first
 */
record Evidence(
    String table,
    Snapshot snapshot,
    String cluster,
    SortedMap<String, String> schema,
    SortedMap<String, Integer> aggregatorIds,
    String suite,
    boolean anyBucket,
    Proof.Source data,
    Map<String, Proof.Source> rollups) {
  /**
   * That of a table.
   *
   * @param rollups the snapshots of all rollup tables
   */
  static Evidence of(
      String table, ProveOptions options, Snapshot data, Map<RollupInterval, Snapshot> rollups) {
    TiersOptions tiers = options.tiers();
    List<RollupInterval> wider = options.wider(table);
    Snapshot snapshot = data;
    Map<String, Proof.Source> compared = new LinkedHashMap<>();
    for (Map.Entry<RollupInterval, Snapshot> each : rollups.entrySet()) {
      String interval = each.getKey().interval();
      if (interval.equals(table)) {
        snapshot = each.getValue();
      } else if (wider.contains(each.getKey())) {
        compared.put(interval, Proof.Source.of(each.getValue()));
      }
    }
    return new Evidence(
        table,
        snapshot,
        Proof.cluster(data),
        new TreeMap<>(tiers.schema().rowKeys()),
        Aggregators.of(tiers.rollups()).numbers(),
        tiers.rollups().suite().text(),
        options.anyBucket(),
        Proof.Source.of(snapshot),
        compared);
  }
}
