package io.tsdbsuite.rollup.load;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.load.HFileSupport;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.report.RunProof;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Checks before a load: whether a TSD with a given configuration decodes the files of a run
 * correctly, whether they are for this cluster, and what becomes of their cells in a table.
 */
final class LoadCheck {
  private static final byte[] FAMILY = RowKey.family();

  private LoadCheck() {}

  /**
   * Returns the differences, one sentence each; empty if there are none. Widths and salt decide
   * what row keys mean, the rules for duplicates which values the rollups are made of. The UID
   * table is not compared: the run may have read names from a copy of it, and files have no names.
   */
  static List<String> problems(
      Manifest manifest, StorageSchema schema, RollupConfig rollups, HistogramCodecs codecs) {
    List<String> problems = new ArrayList<>();
    schema
        .rowKeys()
        .forEach(
            (key, value) -> {
              String found = manifest.options().get("--" + key);
              if (!value.equals(found) && !key.equals(StorageSchema.UID_TABLE)) {
                problems.add(key + " must be as it was in the run, " + found + ", found " + value);
              }
            });
    // Without it the run has written sum, min, max and count alone, whatever is configured.
    String suite = rollups.suite().text();
    if (!manifest.suite().isEmpty() && !manifest.suite().equals(suite)) {
      problems.add(
          "rollup configuration: suite must be as it was in the run, %s, found %s"
              .formatted(manifest.suite(), suite.isEmpty() ? "nothing" : suite));
    }
    for (Manifest.Table table : manifest.tables()) {
      problems(table, rollups, codecs, problems);
    }
    return problems;
  }

  /**
   * Checks that the files are for this cluster; returns one sentence for each difference. A UID
   * stands for different series in different clusters, even with equal configurations.
   *
   * @param target cluster for which the run was made; null if unknown
   * @param loading cluster into which an earlier load has begun; empty if there is none
   * @param found cluster of this load
   */
  static List<String> cluster(@Nullable String target, String loading, String found) {
    List<String> problems = new ArrayList<>();
    if (target != null && !target.equals(found)) {
      problems.add(
          "the HBase cluster must be the one for whose tables the run was made, %s, found %s"
              .formatted(target, found));
    }
    if (!loading.isEmpty() && !loading.equals(found)) {
      problems.add(
          ("the HBase cluster must be the one that a load of this run has begun to load it"
                  + " into, %s, found %s")
              .formatted(loading, found));
    }
    return problems;
  }

  /**
   * Checks that no rollup of the run begins below a floor that the run has not known; returns one
   * sentence for each floor. The stored rollups there may be the only data.
   *
   * @param table of the coverage
   */
  static List<String> floors(Manifest manifest, String table, RawFloors floors) {
    RunProof proof = manifest.proof();
    long first =
        proof != null && proof.first() != null
            ? proof.first().getEpochSecond()
            : manifest.hasChangedRows() ? 0 : manifest.from();
    List<String> problems = new ArrayList<>();
    for (RawFloors.Floor floor : floors.after(first, ProvenWindows.patterns(manifest)).floors()) {
      boolean known =
          proof != null
              && proof.floors().stream()
                  .anyMatch(
                      of -> of.metrics().equals(floor.metrics()) && of.before() >= floor.before());
      if (!known) {
        problems.add(
            ("the run may have rollups of metrics %s from %s on, but raw data of these before %s"
                    + " may be gone, by a floor of table %s, and the stored rollups be the only"
                    + " data: run it again with --coverage-table")
                .formatted(
                    floor.metrics(),
                    Instant.ofEpochSecond(first),
                    Instant.ofEpochSecond(floor.before()),
                    table));
      }
    }
    return problems;
  }

  private static void problems(
      Manifest.Table table, RollupConfig rollups, HistogramCodecs codecs, List<String> problems) {
    Level level = rollups.level(table.level());
    if (level == null) {
      problems.add(
          "the rollup configuration must have the interval " + table.level() + " of the run");
      return;
    }
    String where = "rollup configuration, interval " + table.level() + ": ";
    if (!level.table().equals(table.name())) {
      problems.add(where + "table must be " + table.name() + ", found " + level.table());
    }
    if (table.isHistogram()) {
      table
          .ids()
          .forEach(
              (codec, id) -> {
                if (!id.equals(codecs.id(codec))) {
                  problems.add(
                      "%s must have %s as it was in the run, %s, found %s"
                          .formatted(StorageSchema.HISTOGRAMS_CONFIG, codec, id, codecs.ids()));
                }
              });
      return;
    }
    String rowSpan = level.interval().rowSpan();
    if (!rowSpan.equals(table.rowSpan())) {
      problems.add(where + "rowSpan must be " + table.rowSpan() + ", found " + rowSpan);
    }
    if (table.isPacked()) {
      // Parts name their aggregators by kinds, not by ids.
      return;
    }
    table
        .ids()
        .forEach(
            (aggregator, id) -> {
              Integer found = rollups.aggregatorId(aggregator);
              if (!id.equals(found)) {
                problems.add(
                    "rollup configuration: aggregationIds must have %s as %s, found %s"
                        .formatted(aggregator, id, found == null ? "nothing" : found.toString()));
              }
            });
  }

  /**
   * Requires a table that exists and is enabled; returns what it lacks, if anything.
   *
   * @throws IOException when HBase fails
   */
  static Optional<String> missing(Admin admin, TableName name) throws IOException {
    if (!admin.tableExists(name)) {
      return Optional.of("table " + name + " must exist, HBase does not have it");
    }
    return admin.isTableEnabled(name)
        ? Optional.empty()
        : Optional.of("table " + name + " must be enabled, found disabled");
  }

  /**
   * Requires tables of packed rows that store nothing else, as the rollup configuration does, also
   * of tables that it does not name; returns one sentence for each.
   *
   * @param coverage table of the coverage
   */
  static List<String> packed(
      Manifest manifest, RollupConfig rollups, StorageSchema schema, String coverage) {
    Map<String, String> others = new TreeMap<>();
    others.put(CoverageRows.tableName(coverage), "the coverage");
    others.put(CoverageRows.tableName(schema.treeTable()), "trees");
    others.put(CoverageRows.tableName(schema.metaTable()), "meta data");
    others.put(CoverageRows.tableName(schema.uidTable()), "UIDs");
    others.put(CoverageRows.tableName(schema.dataTable()), "points");
    for (RollupInterval each : rollups.intervals()) {
      others.put(CoverageRows.tableName(each.preAggregationTable()), each.interval());
      others.put(CoverageRows.tableName(each.table()), each.interval());
    }
    rollups
        .suite()
        .histogramTables()
        .forEach(each -> others.put(CoverageRows.tableName(each), Level.HISTOGRAM + "s"));
    List<String> problems = new ArrayList<>();
    for (Manifest.Table table : manifest.tables()) {
      if (table.isPacked()) {
        String name = CoverageRows.tableName(table.name());
        String other = others.put(name, table.level());
        if (other != null) {
          problems.add(
              "table %s of %s must store nothing else, found it as the table of %s"
                  .formatted(table.name(), table.level(), other));
        }
      }
    }
    return problems;
  }

  static Optional<String> family(TableDescriptor table) {
    return table.hasColumnFamily(FAMILY)
        ? Optional.empty()
        : Optional.of(
            "table %s must have the column family %s"
                .formatted(table.getTableName(), RowKey.FAMILY));
  }

  /**
   * Returns the reasons against a load, one sentence each; empty if there are none.
   *
   * @param stamp of all cells, milliseconds since the epoch
   * @param allowUnreplicated whether the peers of a replicated table may lack the cells
   */
  static List<String> target(
      TableDescriptor table, long stamp, Instant now, boolean allowUnreplicated) {
    String name = "table " + table.getTableName() + " ";
    Optional<String> lacks = family(table);
    if (lacks.isPresent()) {
      return List.of(lacks.get());
    }
    List<String> problems = new ArrayList<>();
    if (table.isReadOnly()) {
      problems.add(name + "must take writes, found READONLY => 'true'");
    }
    TableLayout layout = TableLayout.of(table, FAMILY, List.of());
    long oldest = now.minusSeconds(layout.ttlSeconds()).toEpochMilli();
    if (layout.ttlSeconds() != HConstants.FOREVER && layout.minVersions() == 0 && stamp <= oldest) {
      problems.add(
          ("%slets cells expire %s s after their timestamp (TTL), so the cells of this run,"
                  + " stamped %s, would be gone at once: run the window again with --as-of now, or"
                  + " without the TTL")
              .formatted(name, layout.ttlSeconds(), Instant.ofEpochMilli(stamp)));
    }
    String replication = HFileSupport.replication(layout);
    if (replication != null && !allowUnreplicated) {
      problems.add(
          name
              + replication
              + ": make sure of it and give --allow-unreplicated, load the run into each cluster"
              + " with it, or use Kafka");
    }
    return problems;
  }
}
