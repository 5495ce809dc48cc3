package io.tsdbsuite.rollup.changed;

import io.tsdbsuite.hbase.read.SnapshotFamily;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFilePath;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.spark.PartitionJobs;
import io.tsdbsuite.job.spark.TaskFailures;
import io.tsdbsuite.rollup.input.ChangedSince;
import io.tsdbsuite.rollup.input.CompleteInput;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.plan.ChangedRowPlanner;
import io.tsdbsuite.rollup.plan.ChangedRowPlanner.RegionWithFiles;
import io.tsdbsuite.rollup.plan.ChangedRowSet;
import io.tsdbsuite.rollup.plan.ChangedRowSetBuilder;
import io.tsdbsuite.rollup.plan.RawFloors;
import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.plan.job.RegionJob;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.Count;
import io.tsdbsuite.rollup.spark.Broadcasts;
import io.tsdbsuite.rollup.spark.SparkFailures;
import io.tsdbsuite.rollup.uid.UidNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Finds changed rows before the window and plans the partitions that read them again. For one use.
 *
 * <ol>
 *   <li>Lists the HFiles of the regions that can have rows before the window. By the names in an
 *       earlier report, if there is one, a file is old or new.
 *   <li>Tasks ({@link ChangedRowsTask}) search the files for cells that are newer than the last
 *       run, and give the keys of their rows. With too many rows the search ends.
 *   <li>With {@code --refresh-report} the same since an earlier time. That serves the coverage
 *       alone, so the run goes on if it fails.
 *   <li>{@link ChangedRowPlanner} appends partitions for all of these rows to the plan.
 * </ol>
 */
public final class ChangedRowsSearch {
  /** Bytes that one task searches at most, unless a single file is larger. */
  private static final long TASK_BYTES = 1L << 30;

  private static final int TASK_FILES = 64;

  private final JavaSparkContext spark;
  private final RollupOptions options;
  private final ChangedSince since;
  private final Snapshot data;
  private final RawFloors floors;
  private final RowWindow before;
  private final long oldest;
  private final Books books = new Books();
  private final SearchFindings findings;
  private final List<String> warnings = new ArrayList<>();
  private boolean foundEarlier;
  private long first = Long.MAX_VALUE;

  /**
   * @param data the snapshot to search; {@code options} have {@link RollupOptions#changedSince}
   * @param floors rows below them are not rolled up again
   */
  public ChangedRowsSearch(
      JavaSparkContext spark, RollupOptions options, Snapshot data, RawFloors floors) {
    this(
        spark,
        options,
        data,
        floors,
        Objects.requireNonNull(options.changedSince()),
        options.from());
  }

  private ChangedRowsSearch(
      JavaSparkContext spark,
      RollupOptions options,
      Snapshot data,
      RawFloors floors,
      ChangedSince since,
      long until) {
    this.spark = spark;
    this.options = options;
    this.data = data;
    this.floors = floors;
    this.before = new RowWindow(options.schema(), 0, until);
    this.oldest = CompleteInput.firstWholeHour(data);
    this.since = since;
    this.findings = new SearchFindings(since, oldest);
  }

  /** Warnings for the operator. */
  public List<String> warnings() {
    warnings.addAll(findings.warnings());
    return warnings;
  }

  /** Whether the rows of {@link ChangedSince#earlier} are all among those that were found. */
  public boolean hasFoundEarlier() {
    return foundEarlier;
  }

  /**
   * The first hour (with intervals above an hour, day) that is rolled up again or taken back.
   *
   * @return seconds since the epoch; {@link Long#MAX_VALUE} for none
   */
  public long first() {
    return first;
  }

  /** Books of the search: bytes read, and rows for which a change cannot be ruled out. */
  public Books books() {
    return books;
  }

  /** Counts by the names of the JSON report. */
  public Map<String, String> findings() {
    return findings.counts();
  }

  /**
   * Appends partitions for the changed rows to the plan of the window.
   *
   * @throws JobException usage, when there are more changed rows than the limit allows; bad input,
   *     when the end of an HFile is corrupt; outside, when storage fails
   */
  public RollupPlan extend(RollupPlan window, UidNames names) {
    List<RegionWithFiles> regions = regions();
    ChangedRowSet rows = withEarlier(search(regions, names), regions, names);
    List<RollupPartition> partitions = new ArrayList<>(window.partitions());
    first = rows.first();
    if (rows.size() > 0) {
      partitions.addAll(
          new ChangedRowPlanner(
                  options.schema(), options.intervals().needsDays(), options.partitionBytes())
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

  /**
   * Adds the rows of {@link ChangedSince#earlier}. They serve the coverage alone: if they cannot be
   * found, the run goes on without them.
   */
  private ChangedRowSet withEarlier(
      ChangedRowSet rows, List<RegionWithFiles> regions, UidNames names) {
    ChangedSince.Earlier earlier = since.earlier();
    if (earlier == null) {
      return rows;
    }
    ChangedRowsSearch search =
        new ChangedRowsSearch(
            spark,
            options,
            data,
            floors,
            since.only(earlier),
            Math.min(earlier.until(), options.from()));
    ChangedRowSetBuilder both =
        new ChangedRowSetBuilder(options.schema().withoutSalt(), options.intervals().needsDays());
    both.addAll(rows);
    String obstacle = "";
    try {
      both.addAll(search.search(regions, names));
      if (both.size() > since.maxRows()) {
        obstacle = "more than " + since.maxRows() + " rows have changed (--max-changed-rows)";
      } else if (search.books.rowsFailed() > 0) {
        obstacle = "rows or blocks of HFiles cannot be read";
      } else if (search.books.count(Count.OLD_TIMESTAMPS) > 0) {
        obstacle = "new HFiles have puts with older timestamps";
      }
    } catch (JobException e) {
      if (e.exitCode() != ExitCode.USAGE && e.exitCode() != ExitCode.BAD_INPUT) {
        throw e;
      }
      obstacle = String.valueOf(e.getMessage());
    }
    books.storage(search.books.count(Count.BYTES_READ), search.books.count(Count.READ_CALLS));
    if (!obstacle.isEmpty()) {
      warnings.add(
          ("the coverage of hours that were proven as of %s is not refreshed"
                  + " (--refresh-report): %s")
              .formatted(earlier.taken(), obstacle));
      return rows;
    }
    foundEarlier = true;
    ChangedRowSet all = both.build();
    findings.refreshed(earlier, all);
    return all;
  }

  private List<RegionWithFiles> regions() {
    List<SnapshotRegion> some =
        data.regions().stream()
            .filter(region -> before.intersects(region.startKey(), region.endKey()))
            .toList();
    return new RegionJob(spark, data).files(some);
  }

  private ChangedRowSet search(List<RegionWithFiles> regions, UidNames names) {
    ChangedRowsTask.Found found = run(tasks(regions), names);
    books.add(found.books());
    if (found.tooMany()) {
      throw JobException.usage(
          ("more than %s rows before the window have changed since %s (--max-changed-rows):"
                  + " roll up their days with --from and --to, or allow more rows and give the"
                  + " driver about 300 bytes for each")
              .formatted(since.maxRows(), since.time()));
    }
    findings.add(found);
    return found.rows();
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
    Set<String> earlier = since.files();
    if (earlier == null) {
      return ChangedRowsTask.Age.UNKNOWN;
    }
    return earlier.contains(StoreFilePath.hfile(file.name()))
        ? ChangedRowsTask.Age.OLD
        : ChangedRowsTask.Age.NEW;
  }

  private ChangedRowsTask.Found run(List<List<ChangedRowsTask.File>> tasks, UidNames names) {
    String group = "search-" + UUID.randomUUID();
    ChangedRowsCollector found =
        new ChangedRowsCollector(
            options.schema().withoutSalt(),
            options.intervals().needsDays(),
            since.maxRows(),
            () -> spark.sc().cancelJobGroup(group));
    if (tasks.isEmpty()) {
      return found.found();
    }
    spark.setJobGroup(group, "search " + tasks.size() + " lists of files", true);
    try (Broadcasts shared = Broadcasts.of(spark, names, data)) {
      ChangedRowsTask task =
          new ChangedRowsTask(
              shared,
              options.snapshotRoot(),
              SnapshotFamily.of(data),
              options.schema(),
              options.intervals().needsDays(),
              options.metrics(),
              before,
              since.time().toEpochMilli(),
              oldest,
              floors,
              since.maxRows());
      TaskFailures.watch(
          spark,
          SparkFailures.RULES,
          () -> PartitionJobs.run(spark, tasks, task, found::add),
          found::isStopped);
      return found.found();
    } finally {
      spark.clearJobGroup();
    }
  }
}
