package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.hbase.Codecs;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.RollupPlanner;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.plan.SchemaCheck;
import io.tsdbsuite.rollup.plan.job.RegionJob;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.spark.api.java.JavaSparkContext;

/** Plans a snapshot once, as the job's driver does, and prints time, CPU, requests and heap. */
public final class PlanKernel {
  private static final long PARTITION_BYTES = 256L << 20;
  private static final List<String> REQUESTS =
      List.of("action_http_head_request", "action_http_get_request", "object_list_request");

  private PlanKernel() {}

  /**
   * Arguments: a directory and settings: {@code root}, {@code snapshot}, {@code reader} (driver or
   * tasks), {@code hours}, and those of Spark.
   */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    Settings settings = Settings.parse(args);
    try (JavaSparkContext spark = new JavaSparkContext(Settings.conf())) {
      run(spark, settings);
    }
    System.exit(0);
  }

  private static void run(JavaSparkContext spark, Settings settings) throws IOException {
    String root = settings.get("root");
    FileSystem s3 = new Path(root).getFileSystem(spark.hadoopConfiguration());
    long from = DataRows.START;
    long to = DataRows.end(settings.number("hours"));
    long requests = requests(s3);
    Cost before = Cost.now();
    Snapshot data =
        new SnapshotLoader(spark.hadoopConfiguration(), root)
            .load(settings.get("snapshot"), Tables.FAMILY);
    RollupPlanner planner =
        new RollupPlanner(data, new RowWindow(DataRows.SCHEMA, from, to), false, PARTITION_BYTES);
    SchemaCheck check = new SchemaCheck(data, DataRows.SCHEMA, from, to, false);
    RollupPlan plan =
        settings.get("reader").equals("tasks")
            ? new RegionJob(spark, data).plan(planner, check.keys())
            : planner.plan(check.keys()::look);
    check.require();
    Cost cost = Cost.now().since(before, 1);
    Cost.print("wall", cost.wallNanos() / 1e9);
    Cost.print("cpu", cost.processNanos() / 1e9);
    Cost.print("requests", (double) requests(s3) - requests);
    Cost.print("heap", peakHeap() / 1e6);
    if (plan.filesInWindow() != plan.files() || plan.files() == 0) {
      throw new IllegalStateException("all files are in the window, found " + plan);
    }
  }

  private static long requests(FileSystem s3) {
    var counters = ((IOStatisticsSource) s3).getIOStatistics().counters();
    return REQUESTS.stream().mapToLong(name -> counters.getOrDefault(name, 0L)).sum();
  }

  private static double peakHeap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .map(MemoryPoolMXBean::getPeakUsage)
        .mapToDouble(usage -> (double) usage.getUsed())
        .sum();
  }
}
