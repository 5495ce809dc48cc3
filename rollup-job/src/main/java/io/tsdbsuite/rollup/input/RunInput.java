package io.tsdbsuite.rollup.input;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.hbase.snapshot.StoreFilePath;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.DelaySla;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.KeyEvidence;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.plan.SchemaCheck;
import io.tsdbsuite.rollup.uid.UidSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;

/**
 * The snapshots of a run: loads and checks them, plans the window, and keeps the report's facts
 * about them. Reads manifests and the indexes of HFiles, but no data blocks.
 */
public final class RunInput {
  private final Configuration hadoop;
  private final RollupOptions options;
  private final Map<String, String> facts = new LinkedHashMap<>();
  private final Map<String, String> times = new LinkedHashMap<>();
  private HoldBack holdBack;
  private List<String> dataFiles = List.of();

  /**
   * @param hadoop configuration for reading the snapshots' root
   */
  public RunInput(Configuration hadoop, RollupOptions options) {
    this.hadoop = hadoop;
    this.options = options;
    this.holdBack = options.holdBack();
    facts.put("snapshotRoot", options.snapshotRoot());
    facts.put("dataSnapshot", options.dataSnapshot());
    if (options.uids().snapshot() != null) {
      facts.put("uidSnapshot", options.uids().snapshot());
    }
  }

  /** Known facts by the names of the JSON report; callers may add more. */
  public Map<String, String> facts() {
    return facts;
  }

  /** Creation times of the loaded snapshots, by the options that name them. */
  public Map<String, String> times() {
    return times;
  }

  /** Names of all HFiles of the data snapshot; empty before it is loaded. */
  public List<String> dataFiles() {
    return dataFiles;
  }

  /** The hold-back of the window from the present, and from the snapshot once it is loaded. */
  public HoldBack holdBack() {
    return holdBack;
  }

  /**
   * Reads the manifest of the data snapshot.
   *
   * @throws StorageException as {@link SnapshotLoader#load}
   * @throws JobException usage, when the snapshot does not match the options, for example when it
   *     was taken too early for the window
   */
  public Snapshot load() {
    Snapshot data =
        new SnapshotLoader(hadoop, options.snapshotRoot())
            .load(options.dataSnapshot(), RowKey.FAMILY);
    requireTable(data, StorageSchema.DATA_TABLE, options.schema().dataTable());
    facts.put("dataTable", data.table());
    String time = Instant.ofEpochMilli(data.creationTime()).toString();
    facts.put("dataSnapshotTime", time);
    times.put("--data-snapshot", time);
    CompleteInput.requireFlushed(data, options.tolerance());
    CompleteInput.requireUnexpired(data, options);
    holdBack = holdBack.behind(Instant.ofEpochMilli(data.creationTime()));
    if (!holdBack.allows(options.to())) {
      throw JobException.usage(
          holdBack.refusal(options.from(), options.to(), options.intervals().needsDays()));
    }
    dataFiles = List.copyOf(StoreFilePath.hfiles(data));
    ChangedSince since = options.changedSince();
    if (since != null) {
      since.check(data);
    }
    return data;
  }

  /**
   * Reads the manifest of the UID snapshot.
   *
   * @return empty when names do not come from a snapshot
   * @throws StorageException as {@link SnapshotLoader#load}
   * @throws JobException usage, when the snapshot is of another table, or lacks memstores
   */
  public Optional<UidSnapshot> loadUids() {
    String snapshot = options.uids().snapshot();
    if (snapshot == null) {
      return Optional.empty();
    }
    UidSnapshot uids =
        UidSnapshot.load(new SnapshotLoader(hadoop, options.snapshotRoot()), snapshot);
    requireTable(uids.names(), StorageSchema.UID_TABLE, options.schema().uidTable());
    CompleteInput.requireFlushed(uids.names(), options.tolerance());
    times.put("--uid-snapshot", Instant.ofEpochMilli(uids.names().creationTime()).toString());
    return Optional.of(uids);
  }

  /**
   * Plans the window, with indexes that the caller reads; an empty one has no partitions.
   *
   * @throws JobException as {@link RollupPlanner#plan}; usage, when the row keys do not fit the
   *     schema; bad input, when a row that the run would read is in another salt bucket
   */
  public RollupPlan plan(Snapshot data, BiFunction<RollupPlanner, KeyEvidence, RollupPlan> reader) {
    SchemaCheck check =
        new SchemaCheck(
            data, options.schema(), options.from(), options.to(), options.mergesBuckets());
    RollupPlan plan =
        options.from() == options.to()
            ? new RollupPlan(data.regions().size(), 0, 0, 0, 0, 0, 0, List.of())
            : reader.apply(
                new RollupPlanner(
                    data,
                    window(),
                    options.intervals().needsDays(),
                    options.partitionBytes(),
                    options.mergesBuckets() ? options.schema() : null),
                check.keys());
    check.require();
    if (options.metrics().isAll()) {
      check.requireBuckets();
    }
    return plan;
  }

  /**
   * Computes the time for which the TSDs must read raw data with runs like this one.
   *
   * @param taken time since the start of the run
   */
  public List<DelaySla> delaySla(Duration taken) {
    return DelaySla.of(
        options.intervals(), options.from(), options.to(), options.holdBack(), taken);
  }

  /** The rows of the window. */
  private RowWindow window() {
    return new RowWindow(options.schema(), options.from(), options.to());
  }

  /**
   * Requires that a snapshot is of the configured table.
   *
   * @param key key in opentsdb.conf, for the message
   * @param table value of that key
   * @throws JobException usage, when it is of another table
   */
  public static void requireTable(Snapshot snapshot, String key, String table) {
    if (!isSame(snapshot.table(), table)) {
      throw JobException.usage(
          ("snapshot '%s' is of table %s, but %s is %s: is it the right snapshot, and the"
                  + " right --tsd-config? For a copy of the table under another name, add --%s=%s")
              .formatted(snapshot.name(), snapshot.table(), key, table, key, snapshot.table()));
    }
  }

  /** {@code default:tsdb} and {@code tsdb} are one table. */
  private static boolean isSame(String snapshot, String configured) {
    try {
      return TableName.valueOf(snapshot).equals(TableName.valueOf(configured));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
