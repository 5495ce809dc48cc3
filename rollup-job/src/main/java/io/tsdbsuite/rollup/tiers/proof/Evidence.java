package io.tsdbsuite.rollup.tiers.proof;

import io.tsdbsuite.format.rollup.Level;
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
 * @param rollups the levels that are compared: intervals, the narrowest first, then with raw data
 *     those of their histograms
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
   * @param rollups the snapshots of all rollup tables and those of histograms, by level
   */
  static Evidence of(
      String table, ProveOptions options, Snapshot data, Map<String, Snapshot> rollups) {
    TiersOptions tiers = options.tiers();
    List<RollupInterval> wider = options.wider(table);
    Snapshot snapshot = data;
    Map<String, Proof.Source> compared = new LinkedHashMap<>();
    for (Map.Entry<String, Snapshot> each : rollups.entrySet()) {
      String level = each.getKey();
      boolean isCompared =
          Level.isHistogram(level)
              ? table.equals(Policy.RAW)
              : wider.stream().anyMatch(interval -> interval.interval().equals(level));
      if (level.equals(table)) {
        snapshot = each.getValue();
      } else if (isCompared) {
        compared.put(level, Proof.Source.of(each.getValue()));
      }
    }
    return new Evidence(
        table,
        snapshot,
        Proof.cluster(data),
        new TreeMap<>(tiers.schema().rowKeys()),
        Aggregators.of(tiers.rollups(), tiers.codecs()).numbers(),
        tiers.rollups().suite().text(),
        options.anyBucket(),
        Proof.Source.of(snapshot),
        compared);
  }
}
