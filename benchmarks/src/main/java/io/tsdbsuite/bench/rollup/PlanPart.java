package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.rollup.job.PlanKernel;
import io.tsdbsuite.testkit.LatencyProxy;
import io.tsdbsuite.testkit.S3Server;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/**
 * Measures the plan of many small HFiles on an S3 server that answers 30 ms later: by the driver's
 * threads, and by tasks of 2 and of 4 slots.
 */
final class PlanPart implements BenchPart {
  private static final Duration LATENCY = Duration.ofMillis(30);
  private static final String BUCKET = "plan";
  private static final int REGIONS = 10_000;
  private static final int FEW_REGIONS = 1_000;
  private static final int FILES = 10;

  /** Task slots of the aim. */
  private static final int SLOTS = 16;

  private static final double AIM_SECONDS = 60;
  private static final double AIM_HEAP = 2048;
  private static final double AIM_REQUESTS = 2.1;

  /** A run: name of the snapshot, regions, Spark's master, who reads the indexes. */
  private record Run(String snapshot, int regions, String master, String reader) {}

  @Override
  public void run(Bench bench) throws IOException, InterruptedException {
    int many = bench.scaled(REGIONS, 1);
    int few = bench.scaled(FEW_REGIONS, 1);
    List<Run> runs =
        List.of(
            new Run("few", few, "local[2]", "driver"),
            new Run("few", few, "local[2]", "tasks"),
            new Run("many", many, "local[2]", "tasks"),
            new Run("many", many, "local[4]", "tasks"));
    try (S3Server s3 = S3Server.start(bench.dir().resolve("s3"))) {
      s3.createBucket(BUCKET);
      Path root = s3.directory(BUCKET).resolve("hbase");
      write(root, "few", few);
      write(root, "many", many);
      try (LatencyProxy proxy = LatencyProxy.start(s3.endpoint().getPort(), LATENCY)) {
        measure(bench, runs, settings(s3, proxy));
      }
    }
  }

  private static void write(Path root, String snapshot, int regions) throws IOException {
    Configuration conf = TestTable.conf(root);
    TestTable.write(
        conf,
        root,
        "tsdb-" + snapshot,
        TestTable.FAMILY,
        snapshot,
        Compression.Algorithm.SNAPPY,
        DataBlockEncoding.FAST_DIFF,
        SmallFilesKernel.regions(regions, FILES));
  }

  private static List<String> settings(S3Server s3, LatencyProxy proxy) {
    List<String> settings = new ArrayList<>();
    settings.add("root=s3a://" + BUCKET + "/hbase");
    settings.add("from=" + TableRows.START);
    settings.add("to=" + (TableRows.START + SmallFilesKernel.seconds(FILES)));
    settings.addAll(JobServers.s3Settings(s3));
    // The later setting counts.
    settings.add("hadoop.fs.s3a.endpoint=http://127.0.0.1:" + proxy.port());
    return settings;
  }

  private static void measure(Bench bench, List<Run> runs, List<String> settings)
      throws IOException, InterruptedException {
    Report report = bench.report();
    report
        .tables()
        .table(
            "Plan, S3 with 30 ms",
            "HFiles",
            "Wall s",
            "HFiles/s",
            "CPU ms an HFile",
            "Requests an HFile",
            "Peak heap MB");
    Map<Run, KernelRun> found = new LinkedHashMap<>();
    for (Run run : runs) {
      if (bench.wants(run.toString())) {
        found.put(run, measure(bench, run, settings));
      }
    }
    if (found.size() == runs.size()) {
      aims(report, runs, found);
    }
  }

  private static KernelRun measure(Bench bench, Run run, List<String> settings)
      throws IOException, InterruptedException {
    List<Object> all = new ArrayList<>(settings);
    all.add("snapshot=" + run.snapshot);
    all.add("master=" + run.master);
    all.add("reader=" + run.reader);
    KernelRun kernel = bench.fork(PlanKernel.class, all.toArray());
    double files = (double) run.regions * FILES;
    String name = run.reader + ", " + run.master;
    Report report = bench.report();
    Map<String, Object> figure = new LinkedHashMap<>();
    figure.put("run", name);
    figure.put("files", files);
    for (String value : List.of("wall", "cpu", "requests", "heap")) {
      figure.put(value, kernel.get(value));
    }
    report.figure("plan", figure);
    report
        .tables()
        .row(
            name,
            Report.number(files),
            Report.tenths(kernel.get("wall")),
            Report.number(files / kernel.get("wall")),
            Report.thousandths(1e3 * kernel.get("cpu") / files),
            Report.thousandths(kernel.get("requests") / files),
            Report.number(kernel.get("heap")));
    return kernel;
  }

  private static void aims(Report report, List<Run> runs, Map<Run, KernelRun> found) {
    KernelRun four = Objects.requireNonNull(found.get(runs.get(3)));
    double files = (double) runs.get(3).regions * FILES;
    double worked = four.get("wall") * 4 / SLOTS * REGIONS * FILES / files;
    report.atMost(
        "seconds for 100,000 HFiles on 16 slots, from those on 4", "s", AIM_SECONDS, worked);
    report.atMost("peak heap, driver and tasks", "MB", AIM_HEAP, four.get("heap"));
    report.atMost("requests an HFile", "", AIM_REQUESTS, four.get("requests") / files);
  }
}
