package io.tsdbsuite.bench.rollup.job;

import com.sun.management.OperatingSystemMXBean;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.format.schema.StorageSchema;
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
   * Arguments: a directory and settings: {@code root}, {@code snapshot}, {@code master}, {@code
   * reader} (driver or tasks), {@code from} and {@code to}.
   */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    Settings settings = Settings.parse(List.of(args).subList(1, args.length));
    try (JavaSparkContext spark = new JavaSparkContext(settings.spark("bench-plan"))) {
      run(spark, settings);
    }
    System.exit(0);
  }

  private static void run(JavaSparkContext spark, Settings settings) throws IOException {
    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    String root = settings.get("root");
    FileSystem s3 = new Path(root).getFileSystem(spark.hadoopConfiguration());
    long from = Long.parseLong(settings.get("from"));
    long to = Long.parseLong(settings.get("to"));
    StorageSchema schema = StorageSchema.defaults();
    long requests = requests(s3);
    long cpu = process.getProcessCpuTime();
    long wall = System.nanoTime();
    Snapshot data =
        new SnapshotLoader(spark.hadoopConfiguration(), root).load(settings.get("snapshot"), "t");
    RollupPlanner planner =
        new RollupPlanner(data, new RowWindow(schema, from, to), false, PARTITION_BYTES);
    SchemaCheck check = new SchemaCheck(data, schema, from, to);
    RollupPlan plan =
        settings.get("reader").equals("tasks")
            ? new RegionJob(spark, data).plan(planner, check.keys())
            : planner.plan(check.keys()::look);
    check.require();
    print("wall", (System.nanoTime() - wall) / 1e9);
    print("cpu", (process.getProcessCpuTime() - cpu) / 1e9);
    print("requests", (double) (requests(s3) - requests));
    print("heap", peakHeap() / 1e6);
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

  private static void print(String name, double value) {
    System.out.println(KernelRun.line(name, value));
  }
}
