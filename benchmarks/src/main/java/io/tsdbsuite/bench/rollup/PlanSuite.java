package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.JvmFork;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Suite;
import io.tsdbsuite.bench.measure.Trial;
import io.tsdbsuite.testkit.LatencyProxy;
import io.tsdbsuite.testkit.S3Server;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code make bench-plan}: how rollup-job finds its input.
 *
 * <p>Question: what many small HFiles cost: opening them on a local disk, the whole job over 5,000
 * regions of ten, and the plan of 100,000 on an S3 server that answers 30 ms later. Peer: the aims;
 * for the plan, the driver's threads against tasks of 2 and of 4 slots. Tables: a row for each run,
 * which has a JVM of its own.
 */
public final class PlanSuite implements Suite {
  private static final String WORK = "bench-plan";
  private static final String BUCKET = "plan";
  private static final int FILES = 10;

  /** Task slots of the aim. */
  private static final int SLOTS = 16;

  /** Creates the suite. */
  public PlanSuite() {}

  @Override
  public String question() {
    return "What do many small HFiles cost rollup-job: to plan, to open and to roll up?";
  }

  @Override
  public String peer() {
    return "the aims; for the plan, the driver's threads against tasks";
  }

  @Override
  public List<String> parts() {
    return List.of("files", "table", "plan");
  }

  @Override
  public void run(Trial trial, Report report) throws IOException, InterruptedException {
    Path dir = WorkDirs.fresh(WORK);
    try {
      for (String part : trial.parts()) {
        switch (part) {
          case "files" -> files(trial, report);
          case "table" -> table(trial, report, dir);
          default -> plan(trial, report, dir);
        }
      }
    } finally {
      WorkDirs.fresh(WORK);
    }
  }

  private static void files(Trial trial, Report report) throws IOException, InterruptedException {
    long regions = trial.scaled(500, 1);
    KernelRun run = RollupSuite.fork(SmallFilesKernel.class, regions, FILES, 3);
    report.table("Small HFiles, ms a file | Plan: CPU | wall | Roll up: CPU | wall, one thread");
    report.row(
        "%d regions x %d HFiles of 1,440 points | %.3f | %.3f | %.3f | %.3f",
        regions,
        FILES,
        run.get("plan.cpu"),
        run.get("plan.wall"),
        run.get("run.cpu"),
        run.get("run.wall"));
    report.atMost("CPU of planning an HFile", "ms", 1, run.get("plan.cpu"));
    report.atMost("CPU of rolling up a small HFile", "ms", 1, run.get("run.cpu"));
  }

  private static void table(Trial trial, Report report, Path dir)
      throws IOException, InterruptedException {
    int regions = (int) trial.scaled(5_000, 1);
    String data = "@" + Tables.DATA;
    List<String> sinks =
        List.of("kafka" + data, "kafka" + data + ";--rollups-per-message=24", "hfile" + data);
    KernelRun run;
    try (JobServers servers = new JobServers(dir.resolve("table"), false)) {
      servers.tables().smallFiles(Tables.DATA, regions, FILES);
      run = servers.run("local[2]", DataRows.smallFileHours(FILES), 1, 1, sinks);
    }
    report.table(
        ("Whole job, %s regions x 10 HFiles, local[2] | Points | Plan s | Roll up s | M"
                + " points/s of the roll up | CPU s of the job")
            .formatted(regions));
    for (String sink : sinks) {
      String name =
          sink.replace(data, "").replace(";--rollups-per-message=24", ", 24 rollups a message");
      double rate = run.get(sink + ".points") / run.get(sink + ".rollUp") / 1e6;
      report.row(
          "%s | %,.0f | %.1f | %.1f | %.1f | %.1f",
          name,
          run.get(sink + ".points"),
          run.get(sink + ".plan"),
          run.get(sink + ".rollUp"),
          rate,
          run.get(sink + ".cpu"));
      report.atLeast("million points a second, small HFiles, --sink " + name, "", 8, rate);
    }
  }

  private static void plan(Trial trial, Report report, Path dir)
      throws IOException, InterruptedException {
    int few = (int) trial.scaled(1_000, 1);
    int many = (int) trial.scaled(10_000, 1);
    try (S3Server s3 = S3Server.start(dir.resolve("s3"))) {
      s3.createBucket(BUCKET);
      Tables tables = new Tables(s3.directory(BUCKET).resolve("hbase"));
      tables.smallFiles("few", few, FILES);
      tables.smallFiles("many", many, FILES);
      try (LatencyProxy proxy =
          LatencyProxy.start(s3.endpoint().getPort(), Duration.ofMillis(30))) {
        List<String> settings = new ArrayList<>(Settings.s3(s3.s3aProperties()));
        settings.add("root=s3a://" + BUCKET + "/hbase");
        settings.add("hours=" + DataRows.smallFileHours(FILES));
        // The later setting is effective.
        settings.add("spark.hadoop.fs.s3a.endpoint=http://127.0.0.1:" + proxy.port());
        report.table(
            "Plan, S3 with 30 ms | HFiles | Wall s | HFiles/s | CPU ms an HFile | Requests an"
                + " HFile | Peak heap MB");
        plan(report, settings, "few", few, "local[2]", "driver");
        plan(report, settings, "few", few, "local[2]", "tasks");
        KernelRun two = plan(report, settings, "many", many, "local[2]", "tasks");
        KernelRun four = plan(report, settings, "many", many, "local[4]", "tasks");
        report.atMost(
            "seconds for 100,000 HFiles on 16 slots, from those on 4",
            "s",
            60,
            four.get("wall") * 4 / SLOTS * 10_000 / many);
        report.atMost(
            "seconds for 100,000 HFiles on 16 slots of a core each, from CPU on 2",
            "s",
            20,
            two.get("cpu") / SLOTS * 10_000 / many);
        report.atMost("peak heap, driver and tasks", "MB", 2048, four.get("heap"));
        report.atMost("requests an HFile", "", 1.1, four.get("requests") / ((double) many * FILES));
      }
    }
  }

  private static KernelRun plan(
      Report report,
      List<String> settings,
      String snapshot,
      int regions,
      String master,
      String reader)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(settings);
    all.addAll(Settings.spark(master));
    all.add("snapshot=" + snapshot);
    all.add("reader=" + reader);
    KernelRun run =
        JvmFork.likeThis(RollupSuite.LOG).run(List.of(), PlanKernel.class.getName(), all);
    double files = (double) regions * FILES;
    report.row(
        "%s, %s | %,.0f | %.1f | %,.0f | %.3f | %.3f | %,.0f",
        reader,
        master,
        files,
        run.get("wall"),
        files / run.get("wall"),
        1e3 * run.get("cpu") / files,
        run.get("requests") / files,
        run.get("heap"));
    return run;
  }
}
