package io.tsdbsuite.rollup.plan.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.ChangedRowPlanner.RegionWithFiles;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.plan.SchemaCheck;
import io.tsdbsuite.rollup.report.PlanFingerprint;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Plans of executors over a snapshot, compared with the driver's own. */
public final class ExecutorPlan {
  private static final long PARTITION_BYTES = 4096;

  /** Tasks of one region with files, and of several. */
  private static final List<Integer> TASK_FILES = List.of(1, 3);

  private final Snapshot data;
  private final long from;
  private final long to;

  /**
   * @param from start of the window, seconds since the epoch
   * @param to end of the window, seconds since the epoch
   */
  public ExecutorPlan(Snapshot data, long from, long to) {
    this.data = data;
    this.from = from;
    this.to = to;
  }

  /** Requires that tasks make the driver's plan, and find what it finds. */
  public void check(StorageSchema schema) {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("plan")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      RowWindow window = new RowWindow(schema, from, to);
      for (int taskFiles : TASK_FILES) {
        makesTheSamePlan(spark, schema, taskFiles);
        findsTheSameFiles(spark, taskFiles);
      }
      refusesAnotherSchema(spark);
      refusesAMissingFile(spark, window);
    }
  }

  private void makesTheSamePlan(JavaSparkContext spark, StorageSchema schema, int taskFiles) {
    RowWindow window = new RowWindow(schema, from, to);
    SchemaCheck check = new SchemaCheck(data, schema, from, to, false);
    RollupPlan plan =
        new RegionJob(spark, data, taskFiles, 0).plan(planner(data, window), check.keys());
    check.require();
    RollupPlan own = planner(data, window).plan();
    assertThat(plan.partitions()).hasSizeGreaterThan(2);
    assertThat(PlanFingerprint.of(plan)).isEqualTo(PlanFingerprint.of(own));
    assertThat(List.of(plan.files(), plan.filesInWindow(), plan.windowBytes()))
        .isEqualTo(List.of(own.files(), own.filesInWindow(), own.windowBytes()));
    assertThat(plan.estimatedRows()).isEqualTo(own.estimatedRows());
  }

  private static RegionJob tasks(JavaSparkContext spark, Snapshot snapshot) {
    return new RegionJob(spark, snapshot, 1, 0);
  }

  private static RollupPlanner planner(Snapshot snapshot, RowWindow window) {
    return new RollupPlanner(snapshot, window, false, PARTITION_BYTES);
  }

  private void findsTheSameFiles(JavaSparkContext spark, int taskFiles) {
    List<RegionWithFiles> here = new RegionJob(spark, data, 1, 1 << 20).files(data.regions());
    List<RegionWithFiles> there = new RegionJob(spark, data, taskFiles, 0).files(data.regions());
    assertThat(there).extracting(RegionWithFiles::files).isEqualTo(files(here));
    assertThat(files(here).stream().flatMap(List::stream)).hasSizeGreaterThan(2);
    assertThat(there).extracting(RegionWithFiles::region).isEqualTo(data.regions());
  }

  private static List<List<SnapshotFile>> files(List<RegionWithFiles> regions) {
    return regions.stream().map(RegionWithFiles::files).toList();
  }

  private void refusesAnotherSchema(JavaSparkContext spark) {
    StorageSchema other = StorageSchema.from(TsdConfig.parse("tsd.storage.uid.width.tagv=7"));
    SchemaCheck check = new SchemaCheck(data, other, from, to, false);
    RollupPlan unused =
        tasks(spark, data).plan(planner(data, new RowWindow(other, from, to)), check.keys());
    assertThatThrownBy(check::require)
        .isInstanceOf(JobException.class)
        .hasMessageContaining("none of the row keys");
  }

  private void refusesAMissingFile(JavaSparkContext spark, RowWindow window) {
    String missing = "0123456789abcdef0123456789abcdef";
    List<SnapshotRegion> regions = new ArrayList<>();
    for (SnapshotRegion region : data.regions()) {
      List<StoreFile> files = new ArrayList<>(region.storeFiles());
      files.add(StoreFile.newBuilder().setName(missing).build());
      regions.add(
          new SnapshotRegion(region.encodedName(), region.startKey(), region.endKey(), files));
    }
    Snapshot lacking =
        new Snapshot(
            data.name(),
            data.table(),
            data.creationTime(),
            data.flushed(),
            data.conf(),
            data.fileSystem(),
            data.family(),
            regions);
    SchemaCheck check = new SchemaCheck(lacking, StorageSchema.defaults(), from, to, false);
    assertThatThrownBy(() -> tasks(spark, lacking).plan(planner(lacking, window), check.keys()))
        .isInstanceOf(JobException.class)
        .hasMessageContaining(missing)
        .extracting(e -> ((JobException) e).exitCode())
        .isEqualTo(ExitCode.BAD_INPUT);
  }
}
