package io.tsdbsuite.rollup.tiers;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.read.HFileIndex;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.ReadTracker;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotFile.Half;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.input.CompleteInput;
import io.tsdbsuite.rollup.input.RunInput;
import io.tsdbsuite.rollup.input.Tolerance;
import io.tsdbsuite.rollup.plan.RegionTasks;
import io.tsdbsuite.rollup.plan.SchemaCheck;
import io.tsdbsuite.rollup.tiers.FileBytes.Range;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.uid.UidSetup;
import io.tsdbsuite.rollup.uid.UidSnapshot;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.jspecify.annotations.Nullable;

/**
 * Reads manifests, indexes of HFiles and the UID table of snapshots. Of data it reads single blocks
 * of which the index does not tell the metric. Writes nothing.
 */
public final class TiersPlanJob {
  private final Configuration hadoop;
  private final TiersOptions options;
  private final Instant now;
  private final RowKey keys;
  private final Tolerance tolerance;

  /**
   * @param hadoop configuration for reading the snapshots' root
   */
  public TiersPlanJob(Configuration hadoop, TiersOptions options, Instant now) {
    this.hadoop = hadoop;
    this.options = options;
    this.now = now;
    this.keys = new RowKey(options.schema());
    this.tolerance = new Tolerance(Tolerance.NONE.limits(), true, options.skipFlush(), true);
  }

  /**
   * Makes the plan.
   *
   * @throws JobException usage, when snapshots or row keys do not fit the configuration; bad input,
   *     when a file is missing or damaged; outside, when storage fails
   * @throws StorageException as {@link SnapshotLoader#load}
   */
  public TiersPlan run() {
    return run(null);
  }

  /**
   * The plan of some tables.
   *
   * @param tables {@link Policy#RAW}, which is always in the plan, and intervals
   * @throws JobException as {@link #run}
   * @throws StorageException as {@link SnapshotLoader#load}
   */
  public TiersPlan of(Collection<String> tables) {
    return run(tables);
  }

  private TiersPlan run(@Nullable Collection<String> wanted) {
    SnapshotLoader loader = new SnapshotLoader(hadoop, options.root());
    Snapshot data = loader.load(options.dataSnapshot(), RowKey.FAMILY);
    RunInput.requireTable(data, StorageSchema.DATA_TABLE, options.schema().dataTable());
    CompleteInput.requireFlushed(data, tolerance);
    UidSnapshot uids = UidSnapshot.load(loader, options.uidSnapshot());
    RunInput.requireTable(uids.names(), StorageSchema.UID_TABLE, options.schema().uidTable());
    CompleteInput.requireFlushed(uids.names(), tolerance);
    List<Tier> tiers = tiers(loader, data);
    if (wanted != null) {
      tiers.removeIf(tier -> tier.rollups() != null && !wanted.contains(tier.name()));
    }
    List<String> warnings = new ArrayList<>();
    UidSettings settings = UidSettings.ofSnapshot(options.uidSnapshot());
    try (UidNames names =
        new UidSetup(settings, options.schema(), hadoop).load(Optional.of(uids), data, warnings)) {
      TierMetrics metrics = new TierMetrics(names, options.policy(), now.getEpochSecond());
      long taken = data.creationTime() / 1000;
      SchemaCheck check = new SchemaCheck(data, options.schema(), taken, taken, false);
      Map<Tier, TableBytes> tables = new LinkedHashMap<>();
      for (Tier tier : tiers) {
        tables.put(tier, read(tier, metrics, check));
        if (tier.rollups() == null) {
          check.require();
        }
      }
      return TiersPlan.of(options, now, metrics, tables, warnings);
    }
  }

  /** The data table and the rollup tables, in the order of their intervals. */
  private List<Tier> tiers(SnapshotLoader loader, Snapshot data) {
    List<String> problems = new ArrayList<>();
    Map<String, Snapshot> byTable = new LinkedHashMap<>();
    for (String name : options.rollupSnapshots()) {
      Snapshot snapshot = loader.load(name, RowKey.FAMILY);
      CompleteInput.requireFlushed(snapshot, tolerance);
      Snapshot other = byTable.put(CoverageRows.tableName(snapshot.table()), snapshot);
      if (other != null) {
        problems.add(
            "--rollup-snapshot must have one snapshot of each table, found %s and %s, both of %s"
                .formatted(other.name(), name, snapshot.table()));
      }
    }
    List<Tier> tiers = new ArrayList<>(List.of(tier(null, data)));
    Map<String, String> intervals = new LinkedHashMap<>();
    for (RollupInterval interval : options.rollups().intervals()) {
      String table = CoverageRows.tableName(interval.table());
      Snapshot snapshot = byTable.get(table);
      if (interval.defaultInterval() || snapshot == null) {
        if (options.policy().limits(interval.interval())) {
          problems.add(
              "--rollup-snapshot must have a snapshot of table %s, because the policy limits %s"
                  .formatted(table, interval.interval()));
        }
        continue;
      }
      String other = intervals.put(table, interval.interval());
      if (other != null) {
        problems.add(
            "--rollup-snapshot %s must be of the table of one interval, found %s and %s"
                .formatted(snapshot.name(), other, interval.interval()));
      }
      tiers.add(tier(interval, snapshot));
    }
    // Nothing of histograms goes, and packed rows go with those that they are copies of.
    Set<String> others = new HashSet<>(options.rollups().suite().histogramTables());
    others.addAll(options.rollups().suite().packedTables());
    for (String table : others) {
      Snapshot unused = byTable.remove(CoverageRows.tableName(table));
    }
    byTable.forEach(
        (table, snapshot) -> {
          if (!intervals.containsKey(table)) {
            problems.add(
                "--rollup-snapshot %s is of table %s, which is that of no interval of rollup_config.json"
                    .formatted(snapshot.name(), snapshot.table()));
          }
        });
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
    return tiers;
  }

  /** A table with what its descriptor says in the snapshot; a family's own settings come first. */
  private static Tier tier(@Nullable RollupInterval interval, Snapshot snapshot) {
    Path dir =
        SnapshotDescriptionUtils.getCompletedSnapshotDir(
            snapshot.name(), new Path(snapshot.conf().get(HConstants.HBASE_DIR)));
    try {
      TableDescriptor table =
          SnapshotManifest.open(
                  snapshot.conf(),
                  snapshot.fileSystem(),
                  dir,
                  SnapshotDescriptionUtils.readSnapshotInfo(snapshot.fileSystem(), dir))
              .getTableDescriptor();
      Map<String, String> settings = new TreeMap<>();
      for (String key : Tier.SETTINGS.keySet()) {
        Stream.of(
                snapshot.family().getConfigurationValue(key),
                snapshot.family().getValue(key),
                table.getValue(key))
            .filter(Objects::nonNull)
            .findFirst()
            .ifPresent(value -> settings.put(key, value));
      }
      return new Tier(interval, snapshot, settings);
    } catch (IOException e) {
      throw JobException.of(StorageFailures.of("snapshot '" + snapshot.name() + "'", e));
    }
  }

  /** An HFile and the ranges of the regions that refer to it: two after a split. */
  private record HFileParts(SnapshotFile file, List<Range> ranges) {}

  private TableBytes read(Tier tier, TierMetrics metrics, SchemaCheck check) {
    Snapshot snapshot = tier.snapshot();
    StoreFileResolver resolver = new StoreFileResolver(snapshot);
    List<SnapshotRegion> regions = snapshot.regions();
    List<List<SnapshotFile>> found = RegionTasks.run(snapshot.name(), regions, resolver::resolve);
    Map<String, HFileParts> files = new LinkedHashMap<>();
    for (int i = 0; i < regions.size(); i++) {
      Range range = new Range(regions.get(i).startKey(), regions.get(i).endKey());
      for (SnapshotFile file : found.get(i)) {
        // A live HBase may move the file between two looks; its name is that of no other file.
        String name = file.path().substring(file.path().lastIndexOf('/') + 1);
        SnapshotFile whole =
            new SnapshotFile(name, file.path(), file.length(), Half.WHOLE, null, file.movedTo());
        files
            .computeIfAbsent(name, any -> new HFileParts(whole, new ArrayList<>()))
            .ranges()
            .add(range);
      }
    }
    TableBytes all = new TableBytes();
    List<Boolean> unused =
        RegionTasks.run(
            snapshot.name(),
            List.copyOf(files.values()),
            parts -> {
              TableBytes one = read(tier, parts, metrics, check);
              synchronized (all) {
                all.add(one);
              }
              return true;
            });
    return all;
  }

  private TableBytes read(Tier tier, HFileParts parts, TierMetrics metrics, SchemaCheck check)
      throws IOException {
    TableBytes books = new TableBytes();
    books.hfiles = 1;
    books.hfileBytes = parts.file().length();
    FileBytes blocks = new FileBytes(tier, keys, parts.ranges(), metrics.of(tier), books);
    ReadTracker tracker = new ReadTracker();
    try {
      HFileIndex index =
          HFileIndex.readBlocks(ReadSource.of(tier.snapshot()), parts.file(), tracker, blocks);
      blocks.end(index.lastRow());
      if (tier.rollups() == null) {
        check.keys().look(parts.file(), index);
      }
      return books;
    } catch (UnsupportedOperationException e) {
      throw JobException.usage(
          ("HFile %s of table %s has encoded index blocks (INDEX_BLOCK_ENCODING), which tiers plan"
                  + " cannot read: set it to NONE, run a major compaction, take a new snapshot")
              .formatted(parts.file().path(), tier.snapshot().table()));
    } catch (IOException | RuntimeException e) {
      if (tracker.hasStorageFailed()) {
        throw e;
      }
      throw JobException.badInput(tracker.describe(e), e);
    }
  }
}
