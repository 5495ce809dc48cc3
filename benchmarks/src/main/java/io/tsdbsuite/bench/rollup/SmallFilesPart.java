package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Measures planning and rolling up many small HFiles on a local disk: the cost of opening them. */
final class SmallFilesPart implements BenchPart {
  private static final int REGIONS = 500;
  private static final int FILES = 10;
  private static final int ROUNDS = 3;

  /** Limit of the CPU of opening an HFile once, milliseconds. */
  private static final double OPEN_MILLIS = 1;

  @Override
  public void run(Bench bench) throws IOException, InterruptedException {
    int regions = bench.scaled(REGIONS, 1);
    KernelRun run = bench.fork(SmallFilesKernel.class, regions, FILES, ROUNDS);
    String table = regions + " regions x " + FILES + " HFiles of 1,440 points";
    Map<String, Object> figure = new LinkedHashMap<>();
    figure.put("table", table);
    figure.put("planCpuMillisPerFile", run.get("plan.cpu"));
    figure.put("planWallMillisPerFile", run.get("plan.wall"));
    figure.put("rollUpCpuMillisPerFile", run.get("run.cpu"));
    figure.put("rollUpWallMillisPerFile", run.get("run.wall"));
    Report report = bench.report();
    report.figure("smallFiles", figure);
    report
        .tables()
        .table("Small HFiles, ms a file", "Plan: CPU", "wall", "Roll up: CPU", "wall, one thread");
    report
        .tables()
        .row(
            table,
            Report.thousandths(run.get("plan.cpu")),
            Report.thousandths(run.get("plan.wall")),
            Report.thousandths(run.get("run.cpu")),
            Report.thousandths(run.get("run.wall")));
    report.atMost("CPU of planning an HFile", "ms", OPEN_MILLIS, run.get("plan.cpu"));
    report.atMost("CPU of rolling up a small HFile", "ms", OPEN_MILLIS, run.get("run.cpu"));
  }
}
