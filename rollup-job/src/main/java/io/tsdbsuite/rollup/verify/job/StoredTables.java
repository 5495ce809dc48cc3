package io.tsdbsuite.rollup.verify.job;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.input.CompleteInput;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.input.Tolerance;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.verify.RegionNames;
import io.tsdbsuite.rollup.verify.SeriesSample;
import io.tsdbsuite.rollup.verify.StoredTable;
import io.tsdbsuite.rollup.verify.VerifyOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;

/** The snapshots of the rollup tables that a comparison reads. */
public final class StoredTables {
  private final RollupOptions options;
  private final VerifyOptions verify;
  private final Map<String, Snapshot> snapshots = new LinkedHashMap<>();
  private long sourceRows;

  /** Loads nothing yet. */
  public StoredTables(RollupOptions options, VerifyOptions verify) {
    this.options = options;
    this.verify = verify;
  }

  /**
   * Loads the manifests; with a TSD there are none.
   *
   * @param input receives facts about the snapshots, by the names of the JSON report
   * @throws JobException usage, when a table lacks its snapshot, or a snapshot its table
   * @throws StorageException as {@link SnapshotLoader#load}
   */
  public void load(Configuration hadoop, Map<String, String> input) {
    if (verify.tsd() != null) {
      input.put("tsd", verify.tsd().toString());
      return;
    }
    snapshots.putAll(
        load(
            hadoop,
            verify.rollupRoot(),
            verify.snapshots(),
            verify.levels(options.intervals()),
            options.intervals(),
            options.tolerance(),
            input));
  }

  /**
   * Loads the manifests of the tables of levels.
   *
   * @param names of the snapshots, in any order
   * @param levels intervals, and those of their histograms and packed rows
   * @param input receives facts about the snapshots, by the names of the JSON report
   * @return the snapshots by level, in the order of the levels
   * @throws JobException usage, when a table lacks its snapshot, or a snapshot its table
   * @throws StorageException as {@link SnapshotLoader#load}
   */
  public static Map<String, Snapshot> load(
      Configuration hadoop,
      String root,
      List<String> names,
      List<String> levels,
      RollupIntervals intervals,
      Tolerance tolerance,
      Map<String, String> input) {
    input.put("rollupRoot", root);
    List<String> problems = new ArrayList<>();
    Map<String, Snapshot> byTable = new LinkedHashMap<>();
    SnapshotLoader loader = new SnapshotLoader(hadoop, root);
    for (String name : names) {
      Snapshot snapshot = loader.load(name, RowKey.FAMILY);
      CompleteInput.requireFlushed(snapshot, tolerance);
      Snapshot other = byTable.put(snapshot.table(), snapshot);
      if (other != null) {
        problems.add(
            ("--against-snapshot must have one snapshot of each table, found %s and %s, both"
                    + " of %s")
                .formatted(other.name(), name, snapshot.table()));
      }
    }
    Map<String, Snapshot> snapshots = new LinkedHashMap<>();
    for (String level : levels) {
      String table = table(level, intervals);
      Snapshot snapshot = byTable.remove(table);
      if (snapshot == null) {
        problems.add(
            ("--against-snapshot must have a snapshot of table %s, which rollup_config.json"
                    + " names for %s alone")
                .formatted(table, level));
      } else {
        snapshots.put(level, snapshot);
        input.put("rollupSnapshot " + level, snapshot.name());
        input.put("rollupTable " + level, snapshot.table());
        input.put(
            "rollupSnapshotTime " + level,
            Instant.ofEpochMilli(snapshot.creationTime()).toString());
        input.put(
            "rollupRegions " + level,
            RegionNames.hash(
                snapshot.regions().stream().map(SnapshotRegion::encodedName).toList()));
      }
    }
    for (Snapshot snapshot : byTable.values()) {
      problems.add(
          "--against-snapshot %s is of table %s, which is that of no interval of %s"
              .formatted(snapshot.name(), snapshot.table(), intervals));
    }
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
    return snapshots;
  }

  private static RollupInterval interval(String level, RollupIntervals intervals) {
    String name = CoverageRows.interval(level);
    return intervals.all().stream()
        .filter(each -> each.interval().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String table(String level, RollupIntervals intervals) {
    RollupInterval interval = interval(level, intervals);
    String table = interval.table();
    if (Level.isHistogram(level)) {
      table = intervals.suite().histogramTable(interval.interval());
    } else if (Level.isPacked(level)) {
      table = intervals.suite().packedTable(interval.interval());
    }
    return Objects.requireNonNull(table);
  }

  /** The loaded snapshots, by level. */
  public Map<String, Snapshot> snapshots() {
    return Collections.unmodifiableMap(snapshots);
  }

  /** Rows of which wider rollups are made, estimated by {@link #parts}. */
  long sourceRows() {
    return sourceRows;
  }

  /**
   * Plans the parts to read.
   *
   * @param sample the series to compare
   * @throws JobException as {@link RollupPlanner#plan}
   */
  List<StoredTask.Part> parts(SeriesSample sample) {
    List<StoredTask.Part> parts = new ArrayList<>();
    List<RollupInterval> all = options.intervals().all();
    List<String> levels = List.copyOf(snapshots.keySet());
    snapshots.forEach(
        (level, snapshot) -> {
          boolean isSource = level.equals(verify.source());
          StoredTable table =
              new StoredTable(
                  interval(level, options.intervals()),
                  level,
                  table(level, options.intervals()),
                  levels.indexOf(level),
                  options.schema(),
                  verify.aggregators(),
                  options.from(),
                  options.to(),
                  sample,
                  options.mergesBuckets(),
                  isSource ? List.copyOf(all.subList(1, all.size())) : null);
          SnapshotFamily family = SnapshotFamily.of(snapshot);
          RollupPlan plan =
              new RollupPlanner(snapshot, table.rows(), false, options.partitionBytes()).plan();
          sourceRows += isSource ? plan.estimatedRows() : 0;
          plan.partitions().stream()
              .flatMap(partition -> partition.parts().stream())
              .forEach(part -> parts.add(new StoredTask.Part(parts.size(), table, family, part)));
        });
    return parts;
  }
}
