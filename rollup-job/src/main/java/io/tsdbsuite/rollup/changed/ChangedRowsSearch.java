package io.tsdbsuite.rollup.changed;

import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileNames;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.PartitionJobs;
import io.tsdbsuite.job.spark.TaskFailures;
import io.tsdbsuite.rollup.input.CompleteInput;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.plan.ChangedRowPlanner;
import io.tsdbsuite.rollup.plan.ChangedRowPlanner.RegionWithFiles;
import io.tsdbsuite.rollup.plan.ChangedRowSet;
import io.tsdbsuite.rollup.plan.RegionTasks;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.spark.Broadcasts;
import io.tsdbsuite.rollup.spark.SparkFailures;
import io.tsdbsuite.rollup.uid.UidNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Finds changed rows before the window and plans the partitions that read them again. For one use.
 */
public final class ChangedRowsSearch {
  /** Bytes that one task searches at most, unless a single file is larger. */
  private static final long TASK_BYTES = 1L << 30;

  private static final int TASK_FILES = 64;

  private final JavaSparkContext spark;
  private final RollupOptions options;
  private final Snapshot data;
  private final RowWindow before;
  private final long oldest;
  private final Books books = new Books();
  private final List<String> warnings = new ArrayList<>();
  private final Map<String, String> findings = new LinkedHashMap<>();

  /**
   * @param data the snapshot to search; {@code options} have {@link RollupOptions#changedSince}
   */
  public ChangedRowsSearch(JavaSparkContext spark, RollupOptions options, Snapshot data) {
    this.spark = spark;
    this.options = options;
    this.data = data;
    this.before = new RowWindow(options.schema(), 0, options.from());
    this.oldest = CompleteInput.firstWholeHour(data);
  }

  /** Warnings for the operator. */
  public List<String> warnings() {
    return warnings;
  }

  /** Books of the search: bytes read, and rows for which a change cannot be ruled out. */
  public Books books() {
    return books;
  }

  /** Counts by the names of the JSON report. */
  public Map<String, String> findings() {
    return findings;
  }

  /**
   * Appends partitions for the changed rows to the plan of the window.
   *
   * @throws JobException usage, when there are more changed rows than the limit allows; bad input,
   *     when the end of an HFile is corrupt; outside, when storage fails
   */
  public RollupPlan extend(RollupPlan window, UidNames names) {
    findings.put("changedSince", options.changedSince().time().toString());
    List<RegionWithFiles> regions = regions();
    ChangedRowSet rows = search(regions, names);
    findings.put("changedRows", Long.toString(rows.changedRows()));
    List<RollupPartition> partitions = new ArrayList<>(window.partitions());
    if (rows.size() > 0) {
      partitions.addAll(
          new ChangedRowPlanner(
                  options.schema(),
                  options.intervals().hasDay(),
                  options.from(),
                  options.partitionBytes())
              .partitions(regions, rows, partitions.size()));
    }
    return new RollupPlan(
        window.regions(),
        window.regionsInWindow(),
        window.files(),
        window.filesInWindow(),
        window.fileBytes(),
        window.windowBytes(),
        window.estimatedRows(),
        List.copyOf(partitions));
  }

  private List<RegionWithFiles> regions() {
    StoreFileResolver resolver = new StoreFileResolver(data);
    List<SnapshotRegion> some =
        data.regions().stream()
            .filter(region -> before.intersects(region.startKey(), region.endKey()))
            .toList();
    return RegionTasks.run(
        data.name(), some, region -> new RegionWithFiles(region, resolver.resolve(region)));
  }

  private ChangedRowSet search(List<RegionWithFiles> regions, UidNames names) {
    ChangedRowsCollector found = run(tasks(regions), names);
    books.add(found.books());
    if (found.isStopped()) {
      throw JobException.usage(
          "more than "
              + options.changedSince().maxRows()
              + " rows before the window have changed since "
              + options.changedSince().time()
              + " (--max-changed-rows): roll up their days with --from and --to, or allow more rows"
              + " and give the driver about 300 bytes for each");
    }
    findings.put("filesOlder", Integer.toString(found.older()));
    findings.put("filesSearched", Integer.toString(found.searched()));
    findings.put("filesNewAsAWhole", Integer.toString(found.whole()));
    findings.put("filesCompacted", Integer.toString(found.compacted()));
    findings.put("bytesSearched", Long.toString(books.bytesRead()));
    bulkLoadsCompacted(found);
    expired(found.expired());
    return found.rows();
  }

  /**
   * Reports bulk-loaded files merged by compactions: their new cells are among older ones, and
   * their timestamps do not show when they were loaded.
   */
  private void bulkLoadsCompacted(ChangedRowsCollector found) {
    Set<String> earlier = options.changedSince().files();
    if (earlier == null) {
      if (options.changedSince().table() != null) {
        warnings.add(
            "the earlier report does not name the HFiles of its snapshot: the search does not find"
                + " rows that a bulk load or replication has added since with older timestamps");
      }
      return;
    }
    List<String> unknown =
        found.bulkLoadsCompacted().stream()
            .filter(name -> !earlier.contains(name))
            .sorted()
            .toList();
    if (unknown.isEmpty()) {
      return;
    }
    String text =
        unknown.size()
            + " HFiles were bulk loaded since the earlier snapshot and compacted with others before"
            + " this one, so the changed rows cannot be identified; the first file is "
            + unknown.get(0);
    if (!options.changedSince().allowLost()) {
      throw JobException.usage(
          text
              + ": roll up the loaded days with --from and --to, then repeat this run with"
              + " --allow-lost");
    }
    warnings.add(text);
  }

  /**
   * Reports expired rows. Rolling up the rest of such a row would replace a correct rollup by one
   * of the late points alone.
   */
  private void expired(ChangedRowSet rows) {
    findings.put("changedRowsExpired", Long.toString(rows.changedRows()));
    if (rows.size() > 0) {
      warnings.add(
          rows.changedRows()
              + " changed rows begin before "
              + Instant.ofEpochSecond(oldest)
              + ", and the table's TTL may have removed other points of them: the job does not roll"
              + " them up again and leaves their stored rollups; the first is row "
              + HexFormat.of().formatHex(rows.key(0)));
    }
  }

  private List<List<ChangedRowsTask.File>> tasks(List<RegionWithFiles> regions) {
    List<List<ChangedRowsTask.File>> tasks = new ArrayList<>();
    List<ChangedRowsTask.File> task = new ArrayList<>();
    long bytes = 0;
    for (RegionWithFiles region : regions) {
      for (SnapshotFile file : region.files()) {
        if (!task.isEmpty() && (bytes + file.length() > TASK_BYTES || task.size() == TASK_FILES)) {
          tasks.add(task);
          task = new ArrayList<>();
          bytes = 0;
        }
        task.add(new ChangedRowsTask.File(file, region.region().startKey(), age(file)));
        bytes += file.length();
      }
    }
    if (!task.isEmpty()) {
      tasks.add(task);
    }
    return tasks;
  }

  private ChangedRowsTask.Age age(SnapshotFile file) {
    Set<String> earlier = options.changedSince().files();
    if (earlier == null) {
      return ChangedRowsTask.Age.UNKNOWN;
    }
    return earlier.contains(StoreFileNames.hfile(file.name()))
        ? ChangedRowsTask.Age.OLD
        : ChangedRowsTask.Age.NEW;
  }

  private ChangedRowsCollector run(List<List<ChangedRowsTask.File>> tasks, UidNames names) {
    String group = "search-" + UUID.randomUUID();
    ChangedRowsCollector found =
        new ChangedRowsCollector(
            options.schema(),
            options.intervals().hasDay(),
            options.changedSince().maxRows(),
            () -> spark.sc().cancelJobGroup(group));
    if (tasks.isEmpty()) {
      return found;
    }
    spark.setJobGroup(group, "search " + tasks.size() + " lists of files", true);
    try (Broadcasts shared = Broadcasts.of(spark, names, data)) {
      ChangedRowsTask task =
          new ChangedRowsTask(
              shared,
              options.snapshotRoot(),
              SnapshotFamily.of(data),
              options.schema(),
              options.intervals().hasDay(),
              options.metrics(),
              before,
              options.changedSince().time().toEpochMilli(),
              oldest,
              options.changedSince().maxRows());
      TaskFailures.watch(
          spark,
          SparkFailures.RULES,
          () -> {
            PartitionJobs.run(spark, tasks, task, found::add);
            return null;
          },
          found::isStopped);
      return found;
    } finally {
      spark.clearJobGroup();
    }
  }
}
